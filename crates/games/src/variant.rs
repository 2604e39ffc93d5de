//! Which reading of the rules is played.

spinney_core::choices! {
    /// The option `variant` of games whose published engine deviates from the rules.
    pub enum Variant {
        /// the rules of the game
        Standard = "standard",
        /// the engine behind the tables of the ECAI 2014 paper, with its deviations
        Engine2014 = "engine2014",
    }
}
