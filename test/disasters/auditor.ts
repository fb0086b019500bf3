// The auditor: reads the database and the registries' own ledger of effects, nothing of the
// product's code.
import type { Effect } from '../../sandbox/registry/index.ts'
import type { TestDatabase } from '../support/database.ts'

type Query = TestDatabase['query']
export type Witness = {
  effects: (Effect & { registry: string })[]
  lookup: (domain: string) => { sponsor: string; expires_at: string } | null
}

/** Every law that does not hold, in a sentence; none is the only good answer. */
export async function audit(query: Query, witness: Witness): Promise<string[]> {
  const checks = [entriesBalance, balancesAreSums, ordersEndOnce, auditTrail]
  const found = await Promise.all(checks.map((check) => check(query)))
  return [...found.flat(), ...(await registryAgrees(query, witness))]
}

const lines = (rows: Record<string, unknown>[], law: string) =>
  rows.map(
    (row) => `${law}: ${JSON.stringify(row, (_, v) => (typeof v === 'bigint' ? String(v) : v))}`,
  )

/** I1: every entry, and so every currency, sums to zero; no entry is without legs. */
async function entriesBalance(query: Query): Promise<string[]> {
  const rows = await query(
    `select e.id, coalesce(sum(p.amount), 0) as sum, count(p.leg) as legs
       from ledger_entries e left join ledger_postings p on p.entry_id = e.id
      group by e.id having coalesce(sum(p.amount), 0) <> 0 or count(p.leg) < 2`,
  )
  return lines(rows, 'I1 entry does not balance')
}

/** I2: balances are what the postings say, and never below zero. */
async function balancesAreSums(query: Query): Promise<string[]> {
  const rows = await query(
    `select b.customer_id, b.currency, b.available, b.held,
            s.available as posted, s.held as posted_held
       from ledger_balances b
       left join lateral (
         select coalesce(sum(p.amount) filter (where p.account = 'customer_available'), 0)
                  as available,
                coalesce(sum(p.amount) filter (where p.account = 'customer_held'), 0) as held
           from ledger_entries e join ledger_postings p on p.entry_id = e.id
          where e.customer_id = b.customer_id and e.currency = b.currency) s on true
      where b.available <> s.available or b.held <> s.held or b.available < 0 or b.held < 0`,
  )
  return lines(rows, 'I2 balance is not its postings')
}

/** I4, I5: an order is closed, with one hold and one end of it; every hold is of an order. */
async function ordersEndOnce(query: Query): Promise<string[]> {
  const open = await query(
    `select id, domain, state, attempts, error_code from orders
      where closed_at is null and not (state = 'parked' and alarm is not null)`,
  )
  const uneven = await query(
    `select o.id, o.state,
            count(*) filter (where e.type = 'hold') as holds,
            count(*) filter (where e.type = 'capture') as captures,
            count(*) filter (where e.type = 'release') as releases
       from orders o left join ledger_entries e on e.operation_id = o.id
      group by o.id, o.state
     having count(*) filter (where e.type = 'hold') <> 1
         or (o.state = 'succeeded') <> (count(*) filter (where e.type = 'capture') = 1)
         or (o.state = 'failed') <> (count(*) filter (where e.type = 'release') = 1)`,
  )
  const orphans = await query(
    `select e.id, e.operation_id from ledger_entries e
      where e.type in ('hold', 'capture', 'release')
        and not exists (select from orders o where o.id = e.operation_id)`,
  )
  return [
    ...lines(open, 'I4 order is still open'),
    ...lines(uneven, 'I5 order has not one hold and one end'),
    ...lines(orphans, 'I5 entry of no order'),
  ]
}

/** I6: one terminal audit row for each closed order, and none for an open one. */
async function auditTrail(query: Query): Promise<string[]> {
  const rows = await query(
    `select o.id, o.state, count(a.id) as terminal
       from orders o
       left join audit_logs a on a.metadata->>'order' = o.id and a.result in ('success', 'failed')
      group by o.id, o.state
     having count(a.id) <> case when o.state in ('succeeded', 'failed') then 1 else 0 end`,
  )
  return lines(rows, 'I6 order has not one last audit row')
}

/** I3, I8: what the registry did and billed is what was captured and what the customer holds. */
async function registryAgrees(query: Query, witness: Witness): Promise<string[]> {
  const captured = await query(
    `select o.domain, o.command->'fee'->>'amount' as fee from orders o where o.state = 'succeeded'`,
  )
  const bought = new Map(captured.map((row) => [String(row.domain), row.fee]))
  const creates = new Map<string, string[]>()
  for (const { kind, registrar, domain, fee } of witness.effects)
    if (kind === 'create' && registrar === 'registrar-a')
      creates.set(domain, [...(creates.get(domain) ?? []), fee])
  const wrong: string[] = []
  for (const [domain, fees] of creates) {
    if (fees.length > 1) wrong.push(`I3 ${domain} was created ${fees.length} times`)
    if (!bought.has(domain)) wrong.push(`I3 ${domain} was created and nobody paid`)
    else if (Number(bought.get(domain)) !== Number(fees[0]))
      wrong.push(`I3 ${domain} cost ${fees[0]}, acknowledged was ${bought.get(domain)}`)
  }
  for (const domain of bought.keys())
    if (!creates.has(domain)) wrong.push(`I3 ${domain} was paid and never created`)
  const held = await query(
    `select d.name, d.registry_expiry, d.customer_id, o.customer_id as buyer
       from domains d join orders o on o.domain = d.name and o.state = 'succeeded'
      where d.ended_at is null`,
  )
  if (held.length !== bought.size)
    wrong.push(`I8 ${bought.size} domains were bought, ${held.length} are held`)
  for (const row of held) {
    const there = witness.lookup(String(row.name))
    if (there?.sponsor !== 'registrar-a') wrong.push(`I8 ${row.name} is not ours at the registry`)
    else if (Date.parse(there.expires_at) !== Number(row.registry_expiry))
      wrong.push(`I8 ${row.name} expires ${there.expires_at} at the registry`)
    if (row.customer_id !== row.buyer) wrong.push(`I8 ${row.name} is not the buyer's`)
  }
  return wrong
}
