// Schemas of the JSON forms of WebAuthn Level 3, section 5.1: browsers make and read them with
// PublicKeyCredential.parseCreationOptionsFromJSON, toJSON and their like.
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import Type from 'typebox'
import { patterned } from '../../../kit/schema.ts'

const longest = 16_384
const base64url = patterned('^[A-Za-z0-9_-]+$', 'base64url', { maxLength: longest })

function credentialWith<T>(description: string, response: readonly string[]) {
  return Type.Unsafe<T>({
    type: 'object',
    description,
    required: ['id', 'rawId', 'type', 'response'],
    properties: {
      id: base64url,
      rawId: base64url,
      type: { type: 'string', enum: ['public-key'] },
      clientExtensionResults: { type: 'object' },
      response: {
        type: 'object',
        required: [...response],
        properties: Object.fromEntries(response.map((name) => [name, base64url])),
      },
    },
  })
}

export const registrationResponse = credentialWith<RegistrationResponseJSON>(
  'RegistrationResponseJSON: navigator.credentials.create(...), then toJSON().',
  ['clientDataJSON', 'attestationObject'],
)
export const authenticationResponse = credentialWith<AuthenticationResponseJSON>(
  'AuthenticationResponseJSON: navigator.credentials.get(...), then toJSON().',
  ['clientDataJSON', 'authenticatorData', 'signature', 'userHandle'],
)
export const creationOptions = Type.Unsafe<PublicKeyCredentialCreationOptionsJSON>({
  type: 'object',
  description: 'PublicKeyCredentialCreationOptionsJSON, for navigator.credentials.create.',
})
export const requestOptions = Type.Unsafe<PublicKeyCredentialRequestOptionsJSON>({
  type: 'object',
  description: 'PublicKeyCredentialRequestOptionsJSON, for navigator.credentials.get.',
})
