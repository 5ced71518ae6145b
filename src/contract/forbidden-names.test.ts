// Which names of protected_context are refused, and which ordinary ones that look alike are not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesForbiddenSecret } from './forbidden-names.ts';

const FORBIDDEN = `password passwd pass_word user_password password1 my_passwords passw0rd p4ssword passcode pass_code passphrase
  pass user_pass login_pass wifi_password pwd pw passkey passwort mot_de_passe contrasena card_pin pin pins pin_code pin2 p1n
  debit_card_pin atm_pin cardpin pin_number cvv cvv2 cvc card_cvv card_cvc_code csc security_code card_security_code otp otp_code
  totp one_time_code onetimecode one_time_password one_time_pin sms_code sms_verification_code verification_code mfa_code mfa
  two_factor_code twofactor two_fa my_2fa_code auth_code recovery_code backup_codes login_code`;

const ALLOWED = `shipping shipping_address opinion opinions pinyin spinach tipping laptop option optional_note boarding_pass bus_pass
  passport passport_number passenger member_id account_number date_of_birth ssn_last_four insurance_id policy_number booking_code
  confirmation_number confirmation_code order_number tracking_code zip_code postal_code gate_code discount_code phone email
  medication diagnosis full_name license_plate compass bypass_reason mfacility notes invoice cost_center captain`;

for (const name of FORBIDDEN.split(/\s+/)) {
  test(`${name} names a forbidden secret`, () => assert.equal(namesForbiddenSecret(name), true));
}
for (const name of ALLOWED.split(/\s+/)) {
  test(`${name} is an ordinary name`, () => assert.equal(namesForbiddenSecret(name), false));
}
