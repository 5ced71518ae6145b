// Which names of protected_context say that the value is a password, a card PIN or a one-time code. Such values must not be
// submitted at all; the name is the only sign, because the value is never looked at.

/** Forbidden wherever they stand in the name, once `_` and digits are gone. */
const FORBIDDEN_PARTS = [
  'password',
  'passwd',
  'passwort',
  'passcode',
  'passphrase',
  'passkey',
  'kennwort',
  'motdepasse',
  'contrasena',
  'wachtwoord',
  'onetimecode',
  'onetimepass',
  'onetimepin',
  'onetimetoken',
  'smscode',
  'textcode',
  'codesms',
  'verificationcode',
  'verifycode',
  'authcode',
  'authenticatorcode',
  'authenticationcode',
  'mfacode',
  'otpcode',
  'twofactor',
  'tfacode',
  'securitycode',
  'recoverycode',
  'backupcode',
  'logincode',
  'signincode',
  'cardcode',
  'pincode',
  'pinnumber',
  'cardpin',
  'cardcvv',
  'cardcvc',
  'userpin',
  'atmpin',
  'bankpin',
  'debitpin',
  'creditpin',
] as const;

/** Forbidden as a whole word of the name: short enough to stand by chance inside another word (shipping, opinion). */
const FORBIDDEN_WORDS = new Set([
  'pin',
  'pins',
  'otp',
  'otps',
  'totp',
  'hotp',
  'cvv',
  'cvc',
  'csc',
  'mfa',
  'fa',
  'pwd',
  'pw',
  'psw',
  'senha',
  'haslo',
]);

/** `pass` is a password only after one of these, or alone: a boarding pass is not. */
const PASS_OF_SOMETHING = /^((user|login|account|wifi|web|email|mail|my|admin|root|db|site|portal)?pass)$/;

/**
 * Whether a name of `protected_context` names a forbidden secret.
 * @param name matches `^[a-z][a-z0-9_]{0,63}$`
 */
export function namesForbiddenSecret(name: string): boolean {
  const words = name.split('_').map(plainWord);
  const joined = words.join('');
  return (
    words.some((word) => FORBIDDEN_WORDS.has(word)) ||
    FORBIDDEN_PARTS.some((part) => joined.includes(part)) ||
    PASS_OF_SOMETHING.test(joined)
  );
}

/** Digits inside a word stand for letters (passw0rd); at its end they count (cvv2), so they go. */
function plainWord(word: string): string {
  return word
    .replace(/^[0-9]+|[0-9]+$/g, '')
    .replaceAll('0', 'o')
    .replaceAll('1', 'i')
    .replaceAll('3', 'e')
    .replaceAll('4', 'a')
    .replaceAll('5', 's')
    .replaceAll('7', 't');
}
