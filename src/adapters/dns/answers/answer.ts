// The answer to a question: CNAME followed within the zone, negative answers (RFC 2308), referrals.

import { nameToWire } from '../../../dns/name.ts'
import { rrType } from '../../../dns/types.ts'
import type { Found, Glue, RecordSet, Zone, ZoneStore } from '../port.ts'
import { rcodes } from '../rcodes.ts'
import { isIn, nameOf, namesOf } from '../stored-names.ts'
import { soaOf, times } from '../zone-defaults.ts'
import { addressesOf, targetsIn } from './additional.ts'
import { emptyReply, type OwnedSet, type Reply } from './reply.ts'
import { matchOf, setOf } from './zone-match.ts'

type Question = { name: Buffer; type: number }
type Source = { store: ZoneStore; glue: Glue }

/** The most CNAMEs of one answer. A resolver asks further on its own. */
const most_aliases = 11

/** The answer, or REFUSED if the name is in no zone of ours. */
export async function answerTo({ name, type }: Question, source: Source): Promise<Reply> {
  const found = await find(name, type, source)
  if (!found) return emptyReply(rcodes.refused)
  const { zone } = found
  const reply = { ...emptyReply(rcodes.noerror), authoritative: true }
  let owner = name
  for (let at: Found | undefined = found; at; ) {
    const match = matchOf(at, type, source.glue)
    if (match.kind === 'referral') return refer(reply, match, { zone, ...source })
    if (match.kind === 'nodata' || match.kind === 'nxdomain') {
      // The code belongs to the last name (RFC 6604 part 3), and the CNAMEs before it stay (RFC
      // 2308 2.1).
      const rcode = match.kind === 'nodata' ? rcodes.noerror : rcodes.nxdomain
      const soa = { ...soaOf(zone, times.minimum), name: nameToWire(zone.name) }
      return { ...reply, rcode, authorities: [soa] }
    }
    reply.answers.push({ ...match.set, name: owner })
    if (match.kind === 'set') break
    owner = match.set.rdata[0] ?? owner
    at = await next(owner, type, { reply, zone, source })
  }
  return { ...reply, additionals: await additionalsOf(reply.answers, { zone, ...source }) }
}

/**
 * Looks up the name in the longest zone of ours that contains it. The DS records of a zone are in
 * the zone that delegates it, if that zone is ours, too (RFC 4035 3.1.4.1).
 */
async function find(name: Buffer, type: number, { store }: Source): Promise<Found | undefined> {
  // A zone is never a top-level domain.
  const names = namesOf(name).slice(0, -1)
  const found = names.length === 0 ? undefined : await store.find(names, type)
  const above = names.slice(1)
  if (type !== rrType.ds || found?.zone.name !== names[0] || above.length === 0) return found
  const parent = await store.find(names, type, above)
  return parent && setOf(parent.names[0]?.sets ?? [], rrType.ns) ? parent : found
}

type Chain = { reply: Reply; zone: Zone; source: Source }

/**
 * The target of a CNAME, looked up. It is undefined if the answer ends with the CNAME, because the
 * target is in another zone, occurred in the chain before, or the chain is long.
 */
async function next(target: Buffer, type: number, chain: Chain): Promise<Found | undefined> {
  const { reply, zone, source } = chain
  const name = nameOf(target)
  if (!isIn(target, zone.name) || reply.answers.length >= most_aliases) return undefined
  if (reply.answers.some((one) => nameOf(one.name) === name)) return undefined
  const found = await find(target, type, source)
  return found?.zone.id === zone.id ? found : undefined
}

type Delegation = { cut: string; set: RecordSet }

/** A referral. Behind a CNAME the answer is authoritative, because its first record is. */
async function refer(
  reply: Reply,
  { cut, set }: Delegation,
  places: Source & { zone: Zone },
): Promise<Reply> {
  const delegation = { ...set, name: nameToWire(cut) }
  const addresses = await addressesOf(targetsIn(delegation), places)
  // Name servers below the domain can only be found by their glue (RFC 9471 part 3).
  const [glue, additionals] = [true, false].map((needed) =>
    addresses.filter(({ name }) => isIn(name, cut) === needed),
  )
  return {
    ...reply,
    authoritative: reply.answers.length > 0,
    authorities: [delegation],
    glue: glue ?? [],
    additionals: additionals ?? [],
  }
}

function additionalsOf(
  answers: readonly OwnedSet[],
  places: Source & { zone: Zone },
): Promise<OwnedSet[]> {
  return addressesOf(answers.flatMap(targetsIn), places)
}
