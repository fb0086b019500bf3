// Reads the account that the credential belongs to, and the rights of the credential.

import { failureOfError } from '../api.ts'
import { exitCodes } from '../failure.ts'
import { facts } from '../table.ts'
import { type Command, type Context, money, type Shown, wordsOf } from './command.ts'
import { limitsOf } from './limits.ts'

export const whoami: Command = {
  usage: ['whoami'],
  summary: 'the account, the log-in and its limits',
  run: async (context: Context): Promise<Shown> => {
    const { registrar, session, words } = context
    wordsOf(words)
    const account = await registrar.getAccount()
    const { limits, spendable } = await registrar.getLimits()
    const scopes = session.scope()?.split(' ') ?? (await scopesOfKey(context, account.id))
    const lines = facts([
      ['Account', account.id],
      ['E-mail', account.email],
      ['Status', account.status],
      ['Service', session.url],
      ['Logged in by', credentialOf(context)],
      ['May', scopes?.join(' ') ?? 'not shown: the key lacks keys:read'],
      ...limits.map(({ of, id, name, inherited, ...more }): [string, string] => [
        inherited ? `Limits of ${name || id}` : 'Limits',
        limitsOf(more).join('; ') || 'none',
      ]),
      ...(limits.length === 0 ? ([['Limits', 'none']] as const) : []),
      ['Can spend', spendable.map(money).join(', ')],
    ])
    const body = { account, credential: session.kind, scopes, limits, spendable }
    return { body, lines }
  },
}

function credentialOf({ session }: Context): string {
  const { kind, credentials } = session
  if (kind === 'environment') return 'the API key in AGENT_REGISTRAR_API_KEY'
  const what = kind === 'kept_key' ? 'an API key' : 'a code'
  return `${what} (${credentials.path})`
}

/** The keys, or null if the key may not list keys. */
async function scopesOfKey({ registrar, session }: Context, customer_id: string) {
  try {
    const keys = await registrar.listApiKeys({ path: { customer_id } })
    const key = await session.token()
    return keys.find(({ key_prefix }) => key.startsWith(key_prefix))?.scopes ?? null
  } catch (error) {
    const failure = failureOfError(error, session)
    if (failure?.exit === exitCodes.refused) return null
    throw error
  }
}
