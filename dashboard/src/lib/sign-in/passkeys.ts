// Passkeys in the browser: WebAuthn's ceremonies around the API's options. The first use loads this
// file.
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import {
  beginPasskeyLogIn,
  beginPasskeyRegistration,
  logInWithPasskey,
  type PasskeyResponse,
  registerPasskey,
} from 'sdk'
import { passkeyTexts as texts } from '../../messages/sign-in/passkey-texts.ts'
import { answerOf, failureHere } from '../api.ts'

/** Begins a new session in this browser. Rejects with an ApiError. */
export async function logInByPasskey(): Promise<void> {
  const { options } = await answerOf(beginPasskeyLogIn())
  if (!isRequest(options)) throw refusal(texts.unusable, texts.unusableHint)
  const { response, ...rest } = await asked(() => startAuthentication({ optionsJSON: options }))
  const { userHandle } = response
  if (userHandle === undefined) throw refusal(texts.unusable, texts.unusableHint)
  const { clientExtensionResults, ...credential } = rest
  const body = {
    credential: {
      ...credential,
      type: 'public-key',
      clientExtensionResults: { ...clientExtensionResults },
      response: { ...response, userHandle },
    },
  } as const
  await answerOf(logInWithPasskey({ body }))
}

/** Rejects with an ApiError, also if the user cancels. */
export async function addPasskey(name: string): Promise<PasskeyResponse> {
  const { options } = await answerOf(beginPasskeyRegistration())
  if (!isCreation(options)) throw refusal(texts.unusable, texts.unusableHint)
  const { clientExtensionResults, ...made } = await asked(() =>
    startRegistration({ optionsJSON: options }),
  )
  const credential = {
    ...made,
    type: 'public-key',
    clientExtensionResults: { ...clientExtensionResults },
  } as const
  return answerOf(registerPasskey({ body: { credential, ...(name && { name }) } }))
}

async function asked<T>(ceremony: () => Promise<T>): Promise<T> {
  try {
    return await ceremony()
  } catch (cause) {
    const isKnown = cause instanceof Error && /InvalidState/.test(cause.name)
    throw isKnown
      ? refusal(texts.exists, texts.existsHint)
      : refusal(texts.cancelled, texts.cancelledHint)
  }
}

/** A refusal by the browser or its user. */
const refusal = (message: string, hint: string) => failureHere('passkey_not_given', message, hint)

function isRequest(options: object): options is PublicKeyCredentialRequestOptionsJSON {
  return 'challenge' in options
}

function isCreation(options: object): options is PublicKeyCredentialCreationOptionsJSON {
  return 'challenge' in options && 'user' in options
}
