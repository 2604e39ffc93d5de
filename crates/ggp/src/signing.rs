//! Signatures of matches, as the reference server makes them (ggp-org/ggp-base, `SignableJSON`, `CanonicalJSON` and
//! `BaseCryptography`): who has the host's public key can tell that a record is the host's, and that nobody has changed it.
//!
//! Keys are RSA of 2,048 bits. The signature is SHA1withRSA over the record's canonical form with the public key in it:
//! keys in order, no blanks, texts escaped as `JSONObject.quote` does. Texts begin with `0` for this kind of keys, and
//! signatures with `A` before that for this canonical form.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use rsa::pkcs1v15::{Signature, SigningKey, VerifyingKey};
use rsa::pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};
use rsa::rand_core::OsRng;
use rsa::signature::{RandomizedSigner, SignatureEncoding, Verifier};
use rsa::{RsaPrivateKey, RsaPublicKey};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha1::Sha1;
use spinney_core::InputError;

const PUBLIC_KEY: &str = "matchHostPK";
const SIGNATURE: &str = "matchHostSignature";
/// Before keys and signatures: this kind of cryptography.
const KIND: &str = "0";
/// Before signatures: this canonical form.
const FORM: &str = "A";
const BITS: usize = 2_048;

/// The keys of a host, as they stand in a file: `{"PK": "0…", "SK": "0…"}`.
#[derive(Deserialize, Serialize)]
struct KeyFile {
    #[serde(rename = "PK")]
    public: String,
    #[serde(rename = "SK")]
    secret: String,
}

/// The keys of a host.
pub struct Keys {
    public: String,
    secret: RsaPrivateKey,
}

impl std::fmt::Debug for Keys {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Keys").field("public", &self.public).finish_non_exhaustive()
    }
}

fn encode(bytes: &[u8]) -> String {
    format!("{KIND}{}", BASE64.encode(bytes))
}

fn decode(text: &str) -> Option<Vec<u8>> {
    BASE64.decode(text.strip_prefix(KIND)?).ok()
}

impl Keys {
    /// New ones.
    ///
    /// # Errors
    /// A system that has no randomness to give.
    pub fn generate() -> Result<Self, InputError> {
        let wrong = |error: String| InputError::new("keys", error, "try again");
        let secret = RsaPrivateKey::new(&mut OsRng, BITS).map_err(|error| wrong(error.to_string()))?;
        let public = secret.to_public_key().to_public_key_der().map_err(|error| wrong(error.to_string()))?;
        Ok(Self { public: encode(public.as_bytes()), secret })
    }

    /// Those of a file's text.
    ///
    /// # Errors
    /// A text that holds no keys.
    pub fn read(text: &str) -> Result<Self, InputError> {
        let wrong = || InputError::new("keys", "these are no keys of a host", "make some with `spinney ggp keys FILE`");
        let file: KeyFile = serde_json::from_str(text).map_err(|_| wrong())?;
        let secret = RsaPrivateKey::from_pkcs8_der(&decode(&file.secret).ok_or_else(wrong)?).map_err(|_| wrong())?;
        let own = secret.to_public_key().to_public_key_der().map_err(|_| wrong())?;
        if decode(&file.public).as_deref() != Some(own.as_bytes()) {
            return Err(wrong());
        }
        Ok(Self { public: file.public, secret })
    }

    /// As they stand in a file.
    ///
    /// # Errors
    /// Keys that cannot be written down.
    pub fn write(&self) -> Result<String, InputError> {
        let wrong = |error: String| InputError::new("keys", error, "make new ones");
        let secret = self.secret.to_pkcs8_der().map_err(|error| wrong(error.to_string()))?;
        let file = KeyFile { public: self.public.clone(), secret: encode(secret.as_bytes()) };
        serde_json::to_string(&file).map_err(|error| wrong(error.to_string()))
    }

    /// The public one.
    pub fn public(&self) -> &str {
        &self.public
    }

    /// Signs a record, which is a JSON object; a signature that it has is replaced.
    pub fn sign(&self, record: &mut Value) {
        let Some(keys) = record.as_object_mut() else { return };
        keys.remove(SIGNATURE);
        keys.insert(PUBLIC_KEY.to_string(), self.public.clone().into());
        // Blinded, so that the time it takes says nothing of the key.
        let key = SigningKey::<Sha1>::new(self.secret.clone());
        let signature = key.sign_with_rng(&mut OsRng, canonical(record).as_bytes());
        record[SIGNATURE] = format!("{FORM}{}", encode(&signature.to_bytes())).into();
    }
}

/// Whose record it is: the public key that its signature belongs to.
///
/// # Errors
/// A record without a signature, or with one that is not of its key or not of this record.
pub fn verify(record: &Value) -> Result<String, InputError> {
    let refuse = |problem: &str, remedy: &str| InputError::new("record", problem, remedy);
    let text = |key: &str| record.get(key).and_then(Value::as_str);
    let (Some(public), Some(signature)) = (text(PUBLIC_KEY), text(SIGNATURE)) else {
        return Err(refuse("it has no signature", "ask its host for a signed one"));
    };
    let key = decode(public).and_then(|bytes| RsaPublicKey::from_public_key_der(&bytes).ok());
    let key = key.ok_or_else(|| refuse("its public key cannot be read", "ask its host"))?;
    let bytes = signature.strip_prefix(FORM).and_then(decode);
    let signature = bytes.and_then(|bytes| Signature::try_from(bytes.as_slice()).ok());
    let signature = signature.ok_or_else(|| refuse("its signature cannot be read", "ask its host"))?;
    let mut unsigned = record.clone();
    if let Some(keys) = unsigned.as_object_mut() {
        keys.remove(SIGNATURE);
    }
    let is_right = VerifyingKey::<Sha1>::new(key).verify(canonical(&unsigned).as_bytes(), &signature);
    is_right.map_err(|_| refuse("it is not what was signed", "do not trust it"))?;
    Ok(public.to_string())
}

/// The one way to write a value that signatures are made of.
///
/// ```
/// let value = serde_json::json!({"b": [1, "x/y"], "a": "</q> \"\u{2014}\""});
/// assert_eq!(spinney_ggp::signing::canonical(&value), r#"{"a":"<\/q> \"\u2014\"","b":[1,"x/y"]}"#);
/// ```
pub fn canonical(value: &Value) -> String {
    match value {
        Value::Object(keys) => {
            let mut sorted: Vec<(&String, &Value)> = keys.iter().collect();
            // As Java compares texts.
            sorted.sort_by(|(one, _), (other, _)| one.encode_utf16().cmp(other.encode_utf16()));
            let members: Vec<String> =
                sorted.into_iter().map(|(key, value)| format!("{}:{}", quoted(key), canonical(value))).collect();
            format!("{{{}}}", members.join(","))
        }
        Value::Array(values) => format!("[{}]", values.iter().map(canonical).collect::<Vec<_>>().join(",")),
        Value::String(text) => quoted(text),
        Value::Number(number) => written(number),
        Value::Bool(_) | Value::Null => value.to_string(),
    }
}

/// A number as the reference writes it: zeros after a point go.
fn written(number: &serde_json::Number) -> String {
    let text = number.to_string();
    if text.contains('.') && !text.contains(['e', 'E']) {
        return text.trim_end_matches('0').trim_end_matches('.').to_string();
    }
    text
}

fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    let mut before = '\0';
    for letter in text.chars() {
        match letter {
            '\\' | '"' => quoted.extend(['\\', letter]),
            '/' if before == '<' => quoted.push_str("\\/"),
            '\u{8}' => quoted.push_str("\\b"),
            '\t' => quoted.push_str("\\t"),
            '\n' => quoted.push_str("\\n"),
            '\u{c}' => quoted.push_str("\\f"),
            '\r' => quoted.push_str("\\r"),
            '\0'..' ' | '\u{80}'..'\u{a0}' | '\u{2000}'..'\u{2100}' => {
                quoted.push_str(&format!("\\u{:04x}", u32::from(letter)));
            }
            _ => quoted.push(letter),
        }
        before = letter;
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
    use super::*;
    use serde_json::json;

    #[test]
    fn texts_are_escaped_as_the_reference_does() {
        assert_eq!(quoted("a/b </i> \\ \" \u{8}\t\n\u{c}\r\u{1}"), r#""a/b <\/i> \\ \" \b\t\n\f\r\u0001""#);
        assert_eq!(quoted("\u{7f}\u{85}\u{a0}ä\u{2020}\u{2100}😀"), "\"\u{7f}\\u0085\u{a0}ä\\u2020\u{2100}😀\"");
        let numbers = json!([0, -3, 1_400_000_000_000_u64, 1.50, 2.0, null, true]);
        assert_eq!(canonical(&numbers), "[0,-3,1400000000000,1.5,2,null,true]");
    }

    #[test]
    fn what_is_signed_cannot_be_changed() {
        let keys = Keys::generate().unwrap();
        let again = Keys::read(&keys.write().unwrap()).unwrap();
        assert_eq!(keys.public(), again.public());
        let mut record = json!({"matchId": "m", "moves": [["a", "b"]], "goalValues": [100, 0], "isCompleted": true});
        assert!(verify(&record).unwrap_err().to_string().contains("no signature"));
        again.sign(&mut record);
        assert_eq!(verify(&record).unwrap(), keys.public());
        // Order and blanks do not matter, content does.
        let spaced = serde_json::to_string_pretty(&record).unwrap();
        assert!(verify(&serde_json::from_str(&spaced).unwrap()).is_ok());
        for (key, value) in [("goalValues", json!([0, 100])), ("extra", json!(1)), ("matchHostPK", json!("0AAAA"))] {
            let mut changed = record.clone();
            changed[key] = value;
            assert!(verify(&changed).is_err(), "{key}");
        }
        let mut signed = record.clone();
        again.sign(&mut signed);
        assert!(verify(&signed).is_ok(), "a record that goes on is signed again");
        for wrong in ["", "{}", r#"{"PK": "0AA", "SK": "0AA"}"#] {
            assert!(Keys::read(wrong).is_err());
        }
    }
}
