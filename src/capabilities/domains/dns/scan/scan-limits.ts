// Limits of scans over all nodes: an account makes one at a time and six an hour, and an address
// gets twenty packets a second of all scans together.

import { randomUUID } from 'node:crypto'
import type { Pace } from '../../../../adapters/dns/scan/slot-pacer.ts'
import type { App } from '../../../../app.ts'
import type { CustomerId } from '../../../../kit/random.ts'
import { dnsScanUnderWay, tooManyDnsScans } from './scan-faults.ts'
import { beginScan, endScan, refusedScan, reserveSlots } from './scans.sql.ts'

const window = { most: 6, window_s: 3_600 } as const
/** Longer than a scan takes, so that a scan whose node has ended is soon forgotten. */
const lease_s = 90
const under_way_retry_s = 15
/** An address gets twenty packets a second. */
const slot_ms = 50

/**
 * Runs a scan, which sends its packets at the given pace. A scan that sent none does not count.
 * Throws dns_scan_under_way and too_many_dns_scans (429).
 */
export async function whileScanning<T>(
  { db }: Pick<App, 'db'>,
  customer_id: CustomerId,
  scan: (pace: Pace) => Promise<T>,
): Promise<T> {
  const token = randomUUID()
  const begun = await db.maybe(beginScan, { customer_id, token, lease_s, ...window })
  if (!begun) throw await refusalIn(db, customer_id)
  let counts = false
  try {
    const reserve = async (address: string, slots: number) => {
      counts = true
      const { wait_ms } = await db.one(reserveSlots, { address, slots, slot_ms })
      return wait_ms
    }
    return await scan({ slot_ms, reserve })
  } finally {
    await db.count(endScan, { customer_id, token, counts })
  }
}

/** The pace of single questions, which share the limit of an address with scans. */
export function packetPace(db: App['db']): (address: string) => Promise<number> {
  return async (address) => (await db.one(reserveSlots, { address, slots: 1, slot_ms })).wait_ms
}

async function refusalIn(db: App['db'], customer_id: CustomerId) {
  const seen = await db.maybe(refusedScan, { customer_id, ...window })
  if (seen?.under_way) return dnsScanUnderWay({ retry_after_s: under_way_retry_s })
  // If the window is not full, the other scan has ended meanwhile.
  const wait_s = seen?.wait_s ?? 0
  return wait_s > 0
    ? tooManyDnsScans({ retry_after_s: wait_s })
    : dnsScanUnderWay({ retry_after_s: 1 })
}
