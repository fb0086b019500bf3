// I8, and the years of I3: holdings equal the registry state, and every billed year is paid by one
// capture, or is unpaid on a name that is expired.

import { cents, remaining } from './auditor-effects.ts'
import type { AuditInput, Query, RegistryState } from './auditor-input.ts'

type Holding = {
  name: string
  customer_id: string
  expiry: Date
  registry_expiry: Date
  /** The years that were paid by captured renewals. */
  paid_years: number
  paid_cents: number
  /** The years of parked renewals, which may have been done. */
  parked_years: number
  /** The buyer of the last registration or transfer. */
  buyer: string | null
}
type Report = { violations: string[]; lost_cents: number; unpaid: string[] }

const us = 'registrar-a'
const day_ms = 86_400_000

export async function auditHoldings({ query, registryState }: AuditInput): Promise<Report> {
  const report: Report = { violations: [], lost_cents: 0, unpaid: [] }
  const held = await holdings(query)
  const effects = remaining(registryState.effects)
  for (const holding of held) {
    auditSponsor(report, holding, registryState)
    auditYears(report, holding, { effects, registryState })
  }
  const names = new Set(held.map(({ name }) => name))
  const bought = await query(
    `select distinct o.domain from orders o
      where o.state = 'succeeded' and o.type in ('register', 'transfer')`,
  )
  for (const { domain } of bought) {
    const gone = !names.has(String(domain))
    if (gone && registryState.lookup(String(domain))?.sponsor === us)
      report.violations.push(`I8 ${domain} was bought, is ours, and no customer holds it`)
  }
  const astray = await query(
    `select coalesce(d.name, s.domain_id::text) as domain
       from domains d full join domain_schedules s on s.domain_id = d.id
      where (d.ended_at is null and d.id is not null) <> (s.domain_id is not null)`,
  )
  for (const { domain } of astray)
    report.violations.push(`I8 ${domain} is held without a schedule, or has one without being held`)
  return report
}

async function holdings(query: Query): Promise<Holding[]> {
  const rows = await query(
    `select d.name, d.customer_id, d.expiry, d.registry_expiry,
            coalesce(r.years, 0)::int as paid_years, coalesce(r.amount, 0)::int as paid_cents,
            coalesce(r.parked, 0)::int as parked_years,
            (select o.customer_id from orders o
              where o.domain = d.name and o.state = 'succeeded'
                and o.type in ('register', 'transfer')
              order by o.closed_at desc limit 1) as buyer
       from domains d
       left join lateral (
         select sum((o.command->>'period_years')::int) filter (where o.state = 'succeeded')
                  as years,
                sum(o.amount) filter (where o.state = 'succeeded') as amount,
                sum((o.command->>'period_years')::int) filter (where o.state = 'parked')
                  as parked
           from orders o where o.domain = d.name and o.type = 'renew') r on true
      where d.ended_at is null`,
  )
  return rows.map((row) => ({
    name: String(row.name),
    customer_id: String(row.customer_id),
    expiry: dateOf(row.expiry),
    registry_expiry: dateOf(row.registry_expiry),
    paid_years: Number(row.paid_years),
    paid_cents: Number(row.paid_cents),
    parked_years: Number(row.parked_years),
    buyer: row.buyer === null ? null : String(row.buyer),
  }))
}

function dateOf(value: unknown): Date {
  return value instanceof Date ? value : new Date(String(value))
}

function auditSponsor(report: Report, holding: Holding, { lookup }: RegistryState): void {
  const { name, customer_id, buyer, registry_expiry } = holding
  const there = lookup(name)
  if (there?.sponsor !== us) report.violations.push(`I8 ${name} is not ours at the registry`)
  else if (Math.abs(Date.parse(there.expires_at) - registry_expiry.getTime()) >= 1000)
    report.violations.push(
      `I8 ${name} expires ${there.expires_at} there, ${registry_expiry.toISOString()} here`,
    )
  if (customer_id !== buyer) report.violations.push(`I8 ${name} is not its buyer's`)
}

type Billed = { effects: RegistryState['effects']; registryState: RegistryState }

function auditYears(report: Report, holding: Holding, { effects, registryState }: Billed): void {
  const { name, expiry, registry_expiry, paid_years, paid_cents, parked_years } = holding
  const own = effects.filter(({ domain }) => domain === name)
  const added = own.filter(({ kind }) => kind === 'autorenew')
  const renewed = own.filter(({ kind }) => kind === 'renew')
  const billed = added.length + renewed.reduce((sum, { years }) => sum + years, 0)
  const unpaid = billed - paid_years
  if (unpaid < 0) {
    report.violations.push(`I3 ${name}: ${paid_years} years were paid, ${billed} were billed`)
    report.lost_cents += paid_years === 0 ? 0 : Math.round((paid_cents * -unpaid) / paid_years)
    return
  }
  if (unpaid > added.length + parked_years) {
    report.violations.push(`I3 ${name}: ${unpaid} years were billed and no customer paid`)
    report.lost_cents += renewed.reduce((sum, { fee }) => sum + cents(fee), 0)
  }
  const paid = yearsBefore(registry_expiry, unpaid)
  if (Math.abs(paid.getTime() - expiry.getTime()) > day_ms)
    report.violations.push(
      `I8 ${name} is paid until ${paid.toISOString()}, ${expiry.toISOString()} is written`,
    )
  if (unpaid <= parked_years) return
  report.unpaid.push(`${name}: ${unpaid}`)
  if (expiry.getTime() > registryState.now)
    report.violations.push(`I3 ${name}: ${unpaid} years are unpaid, and it is not expired`)
}

function yearsBefore(date: Date, years: number): Date {
  const before = new Date(date)
  before.setUTCFullYear(date.getUTCFullYear() - years)
  return before
}
