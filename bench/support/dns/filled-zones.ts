// Many served zones, written directly to the database: they have no holding, and no trigger ran for
// them.
import { writeFileSync } from 'node:fs'
import type { BenchDatabase } from '../database.ts'

/** The number of sets of each zone. */
export const sets_a_zone = 4

const first_id = 1_000_000_000

/** Zones z0.example and so on, each with records for its address, mail, text and "www". */
export async function fillZones(db: BenchDatabase, count: number): Promise<void> {
  const each = `from generate_series(0, ${count - 1}) i`
  await db.query('set session_replication_role = replica')
  await db.query(
    `insert into zones (name, domain_id, customer_id, nameservers, serial, state)
     select 'z' || i || '.example', ${first_id} + i, 'none', '{ns1.own.example,ns2.own.example}',
            1, 'served' ${each}`,
  )
  await db.query(
    `insert into dns_record_sets (domain_id, path, type, host, ttl, rdata)
     select ${first_id} + i, 'example.z' || i || s.below, s.type, s.host, 3600, s.rdata ${each}
     cross join (values
       ('', 1, '@', array['\\xc0000201'::bytea]),
       ('', 15, '@', array['\\x000a026d78076578616d706c65036e657400'::bytea]),
       ('', 16, '@', array['\\x0b763d73706631202d616c6c'::bytea]),
       ('.www', 1, 'www', array['\\xc0000202'::bytea])) s (below, type, host, rdata)`,
  )
  await db.query('reset session_replication_role')
  await db.query('vacuum analyze zones, dns_record_sets')
  await db.query('checkpoint')
}

/** Questions about zones all over the table, each for a name and type that exist. */
export function writeQuestions(file: string, { zones, count }: { zones: number; count: number }) {
  const kinds = [
    ['', 'A'],
    ['', 'MX'],
    ['', 'TXT'],
    ['www.', 'A'],
  ]
  // A step that has no common factor with the number of zones, so that one page is seldom asked for
  // twice in a row.
  const step = 7919
  const lines = Array.from({ length: count }, (_, i) => {
    const [host, type] = kinds[i % kinds.length] ?? []
    return `${host}z${(i * step) % zones}.example ${type}`
  })
  writeFileSync(file, `${lines.join('\n')}\n`)
}
