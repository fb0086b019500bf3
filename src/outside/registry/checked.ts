// What checks have in common, whatever the registry speaks: names in parts, reasons in our words.
import type { CheckedName, CheckOptions, FeeVerb, Outcome } from './port.ts'

const usual: readonly FeeVerb[] = ['create', 'renew']

export function verbsOf({ fees }: Pick<CheckOptions, 'fees'>): readonly FeeVerb[] {
  if (typeof fees === 'boolean') return fees ? usual : []
  return fees
}

export function unreachableName(domain: string): CheckedName {
  return {
    domain,
    available: null,
    reason: null,
    premium: false,
    fees: null,
    unreachable: true,
  }
}

/** The registries' own words for why a name is not to be had, as far as they are known. */
export function reasonOf(text: string | null): 'registered' | 'reserved' | 'premium' | null {
  if (!text) return null
  if (/premium/i.test(text)) return 'premium'
  if (/reserv|block|prohibit|restrict|not allowed|forbid|disallow/i.test(text)) return 'reserved'
  return /in use|exist|regist|taken|not available|unavailable/i.test(text) ? 'registered' : null
}

type Ask = (part: string[]) => Promise<Outcome<CheckedName[]>>

/** One refused name must not take its neighbours along: a refused part is asked again in halves. */
async function askPart(names: string[], ask: Ask): Promise<CheckedName[]> {
  const outcome = await ask(names)
  if (outcome.kind === 'done') return outcome.value
  const refused = outcome.kind === 'refused' && ['bad_request', 'policy'].includes(outcome.reason)
  if (!refused || names.length === 1) return names.map(unreachableName)
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

/** A label that nobody has, to ask what a plain name costs. */
export function probeLabel(randomId: () => string): string {
  const id = randomId()
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
  return `price-probe-${id.slice(0, 40)}`
}
