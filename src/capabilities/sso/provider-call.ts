// Calls of identity providers: the provider of a path, and its failures as errors of the API.
import { type IdentityProvider, IdentityProviderError } from '../../adapters/identity/port.ts'
import type { App } from '../../app.ts'
import type { Fault } from '../../kit/fault.ts'
import {
  providerFailed,
  providerNotFound,
  providerUnreachable,
  responseNotValid,
  ssoRefused,
} from './faults.ts'

const retry_after_s = 10

/** Throws providerNotFound. */
export function providerOf(
  { identityProviders }: Pick<App, 'identityProviders'>,
  id: string,
): IdentityProvider {
  const provider = identityProviders.get(id)
  if (!provider) throw providerNotFound()
  return provider
}

/** The name for a user, also of a provider that the settings no longer list. */
export function providerName({ identityProviders }: Pick<App, 'identityProviders'>, id: string) {
  return identityProviders.get(id)?.name ?? id
}

/** The cause is logged here: a browser that is sent on gets no error response. */
export async function asFault<T>({ log }: Pick<App, 'log'>, asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof IdentityProviderError)) throw error
    if (error.failure !== 'refused') log.warn({ err: error }, 'single sign-on failed')
    throw faultOf(error)
  }
}

function faultOf({ failure }: IdentityProviderError): Fault {
  switch (failure) {
    case 'refused':
      return ssoRefused()
    case 'invalid':
      return responseNotValid()
    case 'failed':
      return providerFailed({ retry_after_s })
    case 'unreachable':
      return providerUnreachable({ retry_after_s })
  }
}
