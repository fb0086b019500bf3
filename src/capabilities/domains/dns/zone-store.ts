// Zones of the holdings on our own name servers, looked up for the name server in this process by
// one query for each question, without a cache.
import Type from 'typebox'
import type { Found, RecordSet, ZoneStore } from '../../../adapters/dns/port.ts'
import type { Database } from '../../../db/database.ts'
import { rrType } from '../../../dns/types.ts'
import { compile } from '../../../kit/schema.ts'
import { findAddresses, findNames } from './zones.sql.ts'
import { pathOf } from './zones.ts'

/** The stored sets, whose octets are as PostgreSQL writes them: "\\xc0000201". */
const storedSets = compile(
  Type.Union([
    Type.Null(),
    Type.Array(
      Type.Object({ type: Type.Integer(), ttl: Type.Integer(), rdata: Type.Array(Type.String()) }),
    ),
  ]),
)

export function zoneStore(db: Database): ZoneStore {
  return {
    async find(names, type, zones = names): Promise<Found | undefined> {
      const types = [type, rrType.cname, rrType.ns]
      const paths = names.map(pathOf)
      const asked = { names, zones, paths, types, all_types: type === rrType.any }
      const rows = await db.run(findNames, asked)
      const [first] = rows
      if (!first) return undefined
      const { zone: name, domain_id, serial, nameservers } = first
      return {
        zone: { id: String(domain_id), name, serial: Number(serial), nameservers },
        names: rows.map((row) => ({
          name: row.name,
          sets: setsOf(row.sets),
          exists: row.is_found,
          wildcard: row.has_wildcard ? setsOf(row.wildcard_sets) : null,
          has_below: row.has_below,
        })),
      }
    },
    async addresses({ id }, names) {
      const paths = names.map(pathOf)
      const rows = await db.run(findAddresses, { domain_id: BigInt(id), paths })
      return names.map((name, at) => ({
        name,
        sets: rows
          .filter(({ path }) => path === paths[at])
          .map(({ type, ttl, rdata }) => ({ type, ttl, rdata })),
      }))
    },
  }
}

function setsOf(stored: unknown): RecordSet[] {
  return (storedSets.parse(stored) ?? []).map(({ type, ttl, rdata }) => ({
    ...{ type, ttl },
    rdata: rdata.map((one) => Buffer.from(one.slice(2), 'hex')),
  }))
}
