//! Matches as public hosts publish them: one JSON object with every state, move and error.
//!
//! The keys are those of the reference server (ggp-org/ggp-base, `Match.toJSON`); [`signing`](crate::signing) adds its
//! signatures.

use crate::manager::{Opponent, Played, Setting};
use serde::{Deserialize, Serialize};
use spinney_core::Seed;

/// A match in the public format.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PublicMatch {
    /// Its name.
    pub match_id: String,
    /// Tells matches of one name apart.
    pub random_token: String,
    /// Milliseconds since 1970.
    pub start_time: u64,
    /// Where the rules come from.
    #[serde(rename = "gameMetaURL")]
    pub game_meta_url: String,
    /// Whether it was played to its end.
    pub is_completed: bool,
    /// Whether it was called off.
    pub is_aborted: bool,
    /// The facts of every state, the first included, in brackets.
    pub states: Vec<String>,
    /// The moves of all roles, step by step.
    pub moves: Vec<Vec<String>>,
    /// When each state was reached, in milliseconds since 1970.
    pub state_times: Vec<u64>,
    /// What each role did wrong: nothing, `TO` (late), `CE` (unreachable), or `IL` and the reply.
    pub errors: Vec<Vec<String>>,
    /// Goals, once it is completed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub goal_values: Vec<u8>,
    /// Seconds; −1 without a preview.
    pub preview_clock: i64,
    /// Seconds.
    pub start_clock: u64,
    /// Seconds.
    pub play_clock: u64,
    /// Who played the roles.
    pub player_names_from_host: Vec<String>,
    /// Whether names were scrambled.
    pub scrambled: bool,
    /// The tournament, if it belongs to one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tournament_name_from_host: Option<String>,
}

impl PublicMatch {
    /// Of JSON, whatever else it says.
    ///
    /// # Errors
    /// A value that is no match.
    pub fn deserialized(record: &serde_json::Value) -> Result<Self, serde_json::Error> {
        Self::deserialize(record)
    }

    /// Whether it is still being played.
    pub fn is_running(&self) -> bool {
        !self.is_completed && !self.is_aborted
    }

    /// Of a match that is still being played.
    pub fn so_far(setting: &Setting, played: &Played, sheet: &str, start_time: u64) -> Self {
        Self { is_aborted: false, ..Self::new(setting, played, sheet, start_time) }
    }

    /// Of a match that was played by the sheet called `sheet`, begun at `start_time`.
    pub fn new(setting: &Setting, played: &Played, sheet: &str, start_time: u64) -> Self {
        let errors = |step: &crate::manager::Step| step.errors.iter().map(|error| short(error)).collect();
        let token = Seed::new(start_time).named(&setting.id).named(&setting.sheet).value();
        let milliseconds = played.steps.iter().map(|step| step.milliseconds.iter().copied().max().unwrap_or(0));
        let times = std::iter::once(0).chain(milliseconds).scan(start_time, |now, more| {
            *now += more;
            Some(*now)
        });
        Self {
            match_id: setting.id.clone(),
            random_token: format!("{token:016x}"),
            start_time,
            game_meta_url: sheet.to_string(),
            is_completed: !played.goals.is_empty(),
            is_aborted: played.goals.is_empty(),
            states: played.states.clone(),
            moves: played.steps.iter().map(|step| step.moves.clone()).collect(),
            state_times: times.collect(),
            errors: played.steps.iter().map(errors).collect(),
            goal_values: played.goals.iter().map(|goal| goal.unwrap_or(0)).collect(),
            preview_clock: setting.preview.map_or(-1, |clock| clock.as_secs() as i64),
            start_clock: setting.startclock.as_secs(),
            play_clock: setting.playclock.as_secs(),
            player_names_from_host: setting.players.iter().map(name).collect(),
            scrambled: setting.scrambled,
            tournament_name_from_host: setting.tournament.clone(),
        }
    }
}

fn name(opponent: &Opponent) -> String {
    match opponent {
        Opponent::Random => "random".to_string(),
        Opponent::Remote(address) => address.clone(),
    }
}

fn short(error: &str) -> String {
    match error {
        "" => String::new(),
        "late" => "TO".to_string(),
        "unreachable" => "CE".to_string(),
        other => format!("IL {}", other.strip_prefix("illegal ").unwrap_or(other)),
    }
}
