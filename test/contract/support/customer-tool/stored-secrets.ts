// Digests, codes and sealed values that a service has stored, as texts to search for: those of the
// columns that the customer tool's role may not read.
import { rowsIn } from '../../../support/owner-sql.ts'
import type { TestService } from '../../../support/service.ts'

/**
 * The columns by name. Other closed columns have texts that their owner is shown: mails, addresses
 * of webhooks, and pages of checkouts.
 */
const ofDigests = /(^|_)(hash|sealed|mac|token|fingerprints|digest|binding|signature)(_|$)|^key$/
/** Hashes that anybody may verify, in proofs and in the signed head. */
const published = /^(audit|schema)_/
/** A shorter value would be found by chance. */
const shortest = 16

type Column = { relation: string; name: string; type: string }

/** Each value with the column that contains it. */
export async function storedSecrets(registrar: TestService): Promise<Map<string, string>> {
  const rows = rowsIn(registrar)
  const columns = await rows(`
    select c.relname as relation, a.attname as name, format_type(a.atttypid, null) as type
      from inspector_columns() i
      join pg_class c on c.relname = i.relation and c.relkind in ('r', 'p')
      join pg_attribute a on a.attrelid = c.oid and a.attname = any (i.secret)
     where c.relnamespace = 'public'::regnamespace`)
  const found = new Map<string, string>()
  for (const column of columns) {
    if (!ofDigests.test(column.name) || published.test(column.relation)) continue
    const values = await rows(selected(column))
    for (const { value } of values)
      for (const form of formsOf(column, value))
        if (form.length >= shortest) found.set(form, `${column.relation}.${column.name}`)
  }
  return found
}

function selected({ relation, name, type }: Column): string {
  const value = type.endsWith('[]') ? `unnest(${name})` : name
  return `select distinct ${value} as value from ${relation} where ${name} is not null limit 1000`
}

/** Octets are written in three ways. */
function formsOf({ type }: Column, value: unknown): string[] {
  if (!Buffer.isBuffer(value)) return type === 'jsonb' ? [] : [String(value)]
  return [
    value.toString('hex'),
    value.toString('base64').replaceAll('=', ''),
    value.toString('base64url'),
  ]
}
