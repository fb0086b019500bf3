// Price probes: unregistered labels, in a form that the zone takes, by which the price of a TLD's
// ordinary names is read. Zones restrict labels to scripts (RFC 7940), so one form does not fit
// all.
import { toASCII, toUnicode } from 'tr46'
import { hostRules } from '../../kit/net/host.ts'
import { newId } from '../../kit/random.ts'
import type { Prices, RegistryProfile } from './port.ts'

/** `refused`: the name has no price, but one in another form may have one. */
export type Probed = Prices | 'refused' | 'unreachable'

type Probing = {
  profile: Pick<RegistryProfile, 'price_probes'>
  /** A different label at each call, mostly of letters and digits. */
  randomId?: () => string
}

/** Tries one form of label after the other, until each TLD has prices or did not answer. */
export async function probePrices(
  tlds: readonly string[],
  probing: Probing,
  ask: (names: string[]) => Promise<Probed[]>,
): Promise<Map<string, Prices>> {
  const found = new Map<string, Prices>()
  let left = tlds.map((tld) => ({ tld, labels: probeLabels(tld, probing) }))
  while (left.length > 0) {
    const asked = left.map(({ tld, labels }) => `${labels[0]}.${tld}`)
    const answers = await ask(asked)
    left = left.flatMap(({ tld, labels }, at) => {
      const answer = answers[at] ?? 'unreachable'
      if (typeof answer !== 'string') found.set(tld, answer)
      const others = labels.slice(1)
      return answer === 'refused' && others.length > 0 ? [{ tld, labels: others }] : []
    })
  }
  return found
}

/**
 * Labels to try, in order: the one that the profile names, one in the TLD's own script, a plain
 * one, and one without hyphen and digit.
 */
export function probeLabels(
  tld: string,
  { profile, randomId = () => newId('prb') }: Probing,
): string[] {
  const id = randomId()
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
  const unnumbered = id.replace(/[0-9]/g, (digit) => 'ghijklmnop'.charAt(Number(digit)))
  const labels = [
    profile.price_probes[tld],
    ownScriptLabel(tld, id),
    `price-probe-${id.slice(0, 40)}`,
    `priceprobe${unnumbered.slice(-30)}`,
  ]
  return [...new Set(labels.filter((label) => label !== undefined))]
}

const most_clusters = 16
const longest_label = 63
const clusters = new Intl.Segmenter('und', { granularity: 'grapheme' })

/**
 * An A-label made of the characters of an internationalized TLD, which its zone certainly takes, or
 * undefined for an ASCII TLD.
 */
function ownScriptLabel(tld: string, id: string): string | undefined {
  if (!tld.startsWith('xn--') || tld.includes('.')) return undefined
  const { domain, error } = toUnicode(tld, hostRules)
  const characters = [...clusters.segment(domain)].map(({ segment }) => segment)
  if (error || characters.length === 0) return undefined
  for (let length = most_clusters; length > 3; length -= 1) {
    const chosen = Array.from({ length }, (_, at) => {
      return characters[(id.codePointAt(id.length - 1 - at) ?? at) % characters.length]
    })
    const label = toASCII(chosen.join(''), hostRules)
    if (label !== null && label.length <= longest_label) return label
  }
  return undefined
}
