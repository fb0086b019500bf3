// Errors of operators' keys and sessions.
import { fault } from '../../kit/fault.ts'

export const wrongOperatorKey = fault('wrong_operator_key', 'unauthenticated', {
  sentence: 'The operator key is unknown or revoked.',
  hint: 'Check that the whole key was sent; another operator can create a new one.',
  next: 'fix_request',
})
export const operatorKeyNotFound = fault('operator_key_not_found', 'absent', {
  sentence: 'There is no operator key with this id.',
  hint: 'List the operator keys.',
})
export const operatorKeyNameTaken = fault('operator_key_name_taken', 'conflict', {
  sentence: 'An operator key has, or had, this name, by which the audit log names its holder.',
  hint: 'Rotate that key, or choose another name.',
  next: 'choose_alternative',
})
export const operatorKeyRevoked = fault('operator_key_revoked', 'conflict', {
  sentence: 'The operator key is revoked, which is final.',
  hint: 'Create a key with another name.',
  next: 'choose_alternative',
})
export const operatorKeyInSettings = fault('operator_key_in_settings', 'conflict', {
  sentence: 'The key is set by OPERATOR_KEY, and every start would restore it.',
  hint: 'Change or remove OPERATOR_KEY on every node and restart; the key is then revoked.',
  next: 'choose_alternative',
})
export const lastOperatorKey = fault('last_operator_key', 'conflict', {
  sentence: 'This is the last active operator key.',
  hint: 'Create another one first, and keep it.',
  next: 'choose_alternative',
})
