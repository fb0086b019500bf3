// I9: `paid until` equals the registries' effect log plus the captures, and each of its steps is
// one captured order.
import { remaining } from './auditor-effects.ts'
import type { AuditInput, Query, RegistryState } from './auditor-input.ts'

const day_ms = 86_400_000

type Holding = { name: string; expiry: Date; first: number; added: number; transferred: boolean }

export async function auditTerms({ query, registryState }: AuditInput): Promise<string[]> {
  const held = await holdings(query)
  return [
    ...(await stepsAgree(query)),
    ...held.flatMap((holding) => firstTermAgrees(holding, registryState)),
  ]
}

async function holdings(query: Query): Promise<Holding[]> {
  const rows = await query(
    `select d.name, d.expiry, t.first::int, t.added::int, o.type = 'transfer' as transferred
       from domains d
       join orders o on o.id = d.order_id
       join lateral (
         select sum(t.years) filter (where t.kind = 'begun') as first,
                coalesce(sum(t.years) filter (where t.kind <> 'begun'), 0) as added
           from domain_terms t where t.domain_id = d.id) t on true
      where d.ended_at is null`,
  )
  return rows.map(({ name, expiry, first, added, transferred }) => ({
    name: String(name),
    expiry: new Date(expiry instanceof Date ? expiry : String(expiry)),
    first: Number(first),
    added: Number(added),
    transferred: transferred === true,
  }))
}

/** Each captured renewal is one step of its years, and no step lacks a capture. */
async function stepsAgree(query: Query): Promise<string[]> {
  const rows = await query(
    `select d.name, o.id, o.type, o.state, o.command->>'period_years' as bought, t.years
       from orders o
       full join domain_terms t on t.order_id = o.id and t.kind = 'added'
       left join domains d on d.id = t.domain_id
      where (o.type = 'renew' and o.state = 'succeeded'
             and t.years is distinct from (o.command->>'period_years')::int)
         or (t.kind = 'added' and o.state is distinct from 'succeeded')
         or (t.kind = 'added' and o.type = 'restore' and t.years <> 1)
     union all
     select d.name, d.order_id, 'holding', d.expiry::text, null, null
       from domains d
      where d.ended_at is null and d.expiry is distinct from (
        select t.paid_until from domain_terms t where t.domain_id = d.id
         order by t.id desc limit 1)`,
  )
  return rows.map((row) => `I9 a term is not what was captured: ${JSON.stringify(row)}`)
}

/**
 * The registration as billed by the registry: its time, its years, and the years added since.
 */
function firstTermAgrees(holding: Holding, registryState: RegistryState): string[] {
  const { name, expiry, first, added, transferred } = holding
  if (transferred) return []
  const made = remaining(registryState.effects)
    .filter(({ kind, domain }) => kind === 'create' && domain === name)
    .at(-1)
  if (!made) return []
  const due = new Date(made.at)
  due.setUTCFullYear(due.getUTCFullYear() + made.years + added)
  if (first === made.years && Math.abs(due.getTime() - expiry.getTime()) <= 2 * day_ms) return []
  const words = `${made.years} years from ${made.at} and ${added} more were billed and captured`
  return [`I9 ${name} is paid until ${expiry.toISOString()}; ${words}`]
}
