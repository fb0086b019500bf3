// Availability check in parts, with reasons in our terms, shared by the adapters of all protocols.

import { result } from '../../epp/replies/result-codes.ts'
import type { DomainName } from '../../kit/random.ts'
import type { CheckedName, CheckOptions, FeeVerb, Outcome } from './port.ts'

type Refused = Extract<Outcome<never>, { kind: 'refused' }>

const usual: readonly FeeVerb[] = ['create', 'renew']

export function verbsOf({ fees }: Pick<CheckOptions, 'fees'>): readonly FeeVerb[] {
  if (typeof fees === 'boolean') return fees ? usual : []
  return fees
}

export function unreachableName(domain: DomainName): CheckedName {
  return {
    domain,
    available: null,
    reason: null,
    premium: false,
    fees: null,
    unreachable: true,
    refused: null,
  }
}

const longest_words = 300

/** It cannot be had, whatever its state: the registry takes no such name. */
function refusedName(domain: DomainName, { message }: Refused): CheckedName {
  const refused = message.slice(0, longest_words)
  return { ...unreachableName(domain), available: false, unreachable: false, refused }
}

/** The registries' own words for why a name is not to be had, as far as they are known. */
export function reasonOf(text: string | null): 'registered' | 'reserved' | 'premium' | null {
  if (!text) return null
  if (/premium/i.test(text)) return 'premium'
  if (/reserv|block|prohibit|restrict|not allowed|forbid|disallow/i.test(text)) return 'reserved'
  return /in use|exist|regist|taken|not available|unavailable/i.test(text) ? 'registered' : null
}

type Ask = (part: string[]) => Promise<Outcome<CheckedName[]>>

/** Refusals of RFC 5730 that say nothing of a name: our command, or the whole service. */
const generalCodes: readonly (number | null)[] = [
  result.unknown_command,
  result.parameter_missing,
  result.data_policy,
]

/** Whether a check was refused for the names in it. */
function refusesNames(outcome: Outcome<unknown>): outcome is Refused {
  if (outcome.kind !== 'refused' || generalCodes.includes(outcome.code)) return false
  return outcome.reason === 'bad_request' || outcome.reason === 'policy'
}

/** One refused name must not take its neighbors along: a refused part is asked again in halves. */
async function askPart(names: string[], ask: Ask): Promise<CheckedName[]> {
  const outcome = await ask(names)
  if (outcome.kind === 'done') return outcome.value
  if (!refusesNames(outcome)) return names.map(unreachableName)
  const [domain] = names
  if (domain !== undefined && names.length === 1) return [refusedName(domain, outcome)]
  const half = names.length >> 1
  const parts = [names.slice(0, half), names.slice(half)]
  return (await Promise.all(parts.map((part) => askPart(part, ask)))).flat()
}

/** Same order; a part that fails is `unreachable`. `ask` answers for each name of its part. */
export async function checkInParts(
  names: string[],
  size: number,
  ask: Ask,
): Promise<CheckedName[]> {
  const parts: string[][] = []
  for (let at = 0; at < names.length; at += size) parts.push(names.slice(at, at + size))
  return (await Promise.all(parts.map((part) => askPart(part, ask)))).flat()
}
