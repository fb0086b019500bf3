// Scans the records of a domain at its present name servers, to be moved here: POST
// /v1/domains/{domain}/records/scan.

import { scanZone } from '../../../../adapters/dns/scan/scan-zone.ts'
import type { Pace } from '../../../../adapters/dns/scan/slot-pacer.ts'
import { usualNames } from '../../../../adapters/dns/scan/usual-names.ts'
import type { App, Call } from '../../../../app.ts'
import { fileTypeNumber } from '../../../../dns/types.ts'
import { accountSuspended } from '../../../../errors/faults.ts'
import type { DomainName } from '../../../../kit/random.ts'
import { wholeName } from '../../dns/record-sets/record-set.ts'
import { presentServers } from '../../dns/scan/present-servers.ts'
import { type ScanAnswer, scanAnswer, scanShape } from '../../dns/scan/scan-answer.ts'
import { dnsScanUnderWay, tooManyDnsScans } from '../../dns/scan/scan-faults.ts'
import { whileScanning } from '../../dns/scan/scan-limits.ts'
import { ownNameservers } from '../../dns/zones.ts'
import { domainNotFound, domainPending, registryUnreachable } from '../../faults.ts'
import { holdingByName } from '../../holdings/holdings.sql.ts'
import { hostOf } from '../../names.ts'
import { operationOf } from '../../orders/order-presenter.ts'
import { openOrder } from '../../orders/orders.sql.ts'
import { domainOperation } from '../domain-operation.ts'

/** The whole scan takes at most a minute, which is as long as many clients wait. */
const limit_ms = 54_000
const reauthorize_ms = 1_500

export const scanDnsZone = domainOperation({
  name: 'scan_dns_zone',
  does: 'Find the DNS records that a domain has at its present name servers, to move it here.',
  more:
    'It is for your domains and for those that are being transferred here. It changes nothing: ' +
    'give "zonefile" to import_dns_zone, or "sets" to change_dns_records, first with dry_run. It ' +
    'asks for usual names and takes up to a minute; "not_seen" lists the gaps. The limit is one ' +
    'at a time and six an hour.',
  at: 'POST /v1/domains/{domain}/records/scan',
  scope: 'domains:read',
  gives: scanShape,
  fails: [
    ...[domainNotFound, domainPending, registryUnreachable],
    ...[accountSuspended, dnsScanUnderWay, tooManyDnsScans],
  ],
  effect: 'none',
  tools: [
    {
      group: 'name servers and DNS',
      title: 'Scan the DNS records of a domain elsewhere',
      destructive: false,
      idempotent: true,
    },
  ],
  async run(input, call, app) {
    // It changes nothing, but it sends packets to other servers.
    if ('suspended' in call.caller && call.caller.suspended) throw accountSuspended()
    const domain = hostOf(input.domain)
    await requireScannable(call, domain)
    return whileScanning(app, call.customer_id, (pace) => scan(app, call, { domain, pace }))
  },
})

/** A domain that the customer holds, or is transferring here. */
async function requireScannable({ sql, customer_id }: Call, domain: DomainName): Promise<void> {
  if (await sql.maybe(holdingByName, { customer_id, name: domain })) return
  const order = await sql.maybe(openOrder, { domain, customer_id })
  if (order?.type === 'transfer') return
  if (order) throw domainPending({ facts: { operation: operationOf(order) } })
  // The order may have ended between the two readings.
  if (!(await sql.maybe(holdingByName, { customer_id, name: domain }))) throw domainNotFound()
}

type Asked = { domain: DomainName; pace: Pace }

async function scan(app: App, call: Call, { domain, pace }: Asked): Promise<ScanAnswer> {
  const over = AbortSignal.timeout(limit_ms)
  const ended = new AbortController()
  const signal = AbortSignal.any([over, call.closed(), ended.signal])
  const present = await presentServers(app, domain, signal)
  const right = stopWithRight(app, call, ended)
  try {
    const { servers, packets } = await scanZone({
      zone: domain,
      servers: present.servers,
      questions: questionsOf(domain),
      pace,
      signal,
    })
    const ended_early = signal.aborted
    await right.assert()
    const own = ownNameservers(app)
    const names = present.servers.map(({ name }) => name)
    const hosted = names.length > 0 && names.every((name) => own.includes(name))
    const addresses = present.servers.flatMap(({ places }) => places.map(({ host }) => host))
    app.log.info({ domain, customer: call.customer_id, addresses, packets }, 'DNS records scanned')
    const scanned_at = app.clock.now()
    const facts = { domain, hosted, present, servers, ended: !ended_early, scanned_at }
    return scanAnswer(facts)
  } finally {
    right.release()
    ended.abort()
  }
}

/**
 * Ends the scan if the node stops, or if the caller's right ends, which `assert` throws: no packets
 * are sent to other servers for a token that was revoked.
 */
function stopWithRight(app: App, call: Call, ended: AbortController) {
  let lost: unknown
  const look = async () => {
    if (app.eventWaits.ended) return ended.abort()
    await call.reauthorize().catch((error) => {
      lost = error
      ended.abort()
    })
  }
  const timer = setInterval(look, reauthorize_ms)
  return {
    release: () => clearInterval(timer),
    assert: async () => {
      if (lost !== undefined) throw lost
    },
  }
}

function questionsOf(domain: DomainName) {
  return usualNames.map(({ host, types }) => ({
    name: wholeName(host, domain),
    types: types.flatMap((one) => fileTypeNumber(one) ?? []),
  }))
}
