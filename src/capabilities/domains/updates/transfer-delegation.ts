// Name servers of a transfer in: those that the request names, or else those to which the name is
// delegated now, so that no site that is in use becomes unreachable.
import type { Registry } from '../../../adapters/registry/port.ts'
import type { App } from '../../../app.ts'
import { nameserversRequired, registryUnreachable } from '../faults.ts'
import { isWithin, type Nameservers } from '../names.ts'
import { type DomainAtRegistry, hasMore, mutable, refuseWithoutGlue } from '../orders/agreement.ts'
import type { TransferOrder } from '../orders/order.ts'
import { hostsWithoutGlue } from './update-diff.ts'

type Delegated = Pick<TransferOrder, 'nameservers' | 'glue' | 'kept'>

/**
 * The name servers that the order sets and sends. Throws, before anything is held, 409
 * glue_required for a name server below the name of which neither the request nor the registry
 * knows an address, and 409 nameservers_required if the registry needs them and the delegation
 * cannot be read.
 */
export async function delegationOf(
  app: App,
  {
    named,
    with_records,
    ...sought
  }: DomainAtRegistry & { named: Nameservers | undefined; with_records: boolean },
): Promise<Delegated> {
  const { domain, registry } = sought
  if (named) {
    await refuseUnknown({ named, ...sought })
    const { nameservers, glue } = named
    const asked = { nameservers, ...(Object.keys(glue).length > 0 && { glue: mutable(glue) }) }
    // The zone gets its records when the domain arrives, so its name servers change after that.
    if (!with_records || !registry.hosts.transfer_names_them) return asked
    const kept = await app.delegations.read(domain)
    return { ...asked, ...(kept && !losesAddresses(registry, kept) && { kept }) }
  }
  if (!registry.hosts.transfer_names_them) return { nameservers: null }
  const kept = await app.delegations.read(domain)
  if (!kept) throw nameserversRequired()
  if (losesAddresses(registry, kept)) throw nameserversRequired()
  return { nameservers: null, kept }
}

function losesAddresses({ hosts }: Registry, { glue }: NonNullable<Delegated['kept']>): boolean {
  return hosts.one_address_of_a_kind && Object.values(glue).some(hasMore)
}

/** Host objects below a registered name may exist already, with their addresses. */
async function refuseUnknown({
  domain,
  registry,
  named,
}: DomainAtRegistry & { named: Nameservers }): Promise<void> {
  const own = named.nameservers.filter((host) => isWithin(domain, host))
  const bare = own.filter((host) => !Object.hasOwn(named.glue, host))
  if (bare.length === 0) return
  const known = registry.hosts.own_hosts_later
    ? await registry.readGlue?.(bare, 'purchase')
    : undefined
  if (known?.kind === 'unknown') throw registryUnreachable({ retry_after_s: 5 })
  const glue = known?.kind === 'done' ? known.value : {}
  refuseWithoutGlue(hostsWithoutGlue(domain, named, { glue }))
}
