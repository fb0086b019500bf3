// The auditor: reads the database and the registries' effect logs, and shares no code with the
// product. Invariants I1, I2, I4, I5 and I6 are here; the registries' effects are in
// auditor-effects.ts.
import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { auditEffects } from './auditor-effects.ts'
import { auditHoldings } from './auditor-holdings.ts'
import type { Audit, AuditInput, Query } from './auditor-input.ts'
import { auditLimits } from './auditor-limits.ts'
import { auditPayments } from './auditor-payments.ts'
import { auditTerms } from './auditor-terms.ts'

/** A sentence for every violated invariant. */
export async function audit(input: AuditInput): Promise<Audit> {
  const checks = [
    transfersBalance,
    balancesAreSums,
    ordersEndOnce,
    amountsAgree,
    documentsAgree,
    auditTrail,
    hashes,
  ]
  const found = await Promise.all(checks.map((check) => check(input.query)))
  const effects = await auditEffects(input)
  const holdings = await auditHoldings(input)
  const terms = await auditTerms(input)
  const payments = await auditPayments(input)
  const limits = await auditLimits(input.query)
  return {
    violations: [
      ...found.flat(),
      ...effects.violations,
      ...holdings.violations,
      ...terms,
      ...payments,
      ...limits,
    ],
    lost_cents: effects.lost_cents + holdings.lost_cents,
    double_effects: effects.double_effects,
    unpaid: holdings.unpaid,
  }
}

function lines(rows: Record<string, unknown>[], invariant: string): string[] {
  const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
  return rows.map((row) => `${invariant}: ${JSON.stringify(row, plain)}`)
}

/**
 * I1: every transfer debits one account and credits another of its currency with one amount, so
 * every currency sums to zero.
 */
async function transfersBalance(query: Query): Promise<string[]> {
  const rows = await query(
    `select t.id, t.amount, t.debit_account, t.credit_account from ledger_transfers t
       left join ledger_accounts d on d.id = t.debit_account
       left join ledger_accounts c on c.id = t.credit_account
      where t.amount <= 0 or t.debit_account = t.credit_account
         or (d.currency, c.currency) is distinct from (t.currency, t.currency)`,
  )
  const sums = await query(
    `select currency, sum(debits) as debits, sum(credits) as credits from ledger_trial_balance
      group by currency having sum(debits) <> sum(credits)`,
  )
  return [
    ...lines(rows, 'I1 transfer does not balance'),
    ...lines(sums, 'I1 debits are not credits'),
  ]
}

/** I2: balances equal the sums of the transfers, and are never below zero. */
async function balancesAreSums(query: Query): Promise<string[]> {
  const rows = await query(
    `select b.customer_id, b.currency, b.available, b.held,
            s.available as posted, s.held as posted_held
       from ledger_accounts b
       left join lateral (
         select coalesce(sum(case when t.phase = 'post' then 0
                                  when t.phase = 'void' or t.phase = 'single'
                                       and t.credit_account = b.id then t.amount
                                  else -t.amount end), 0) as available,
                coalesce(sum(case t.phase when 'pending' then t.amount when 'single' then 0
                                          else -t.amount end), 0) as held
           from ledger_transfers t where b.id in (t.debit_account, t.credit_account)) s on true
      where b.customer_id is not null
        and (b.available <> s.available or b.held <> s.held or b.available < 0 or b.held < 0)`,
  )
  const reserves = await query(
    `select b.reserve_of, b.currency, b.available, s.sum from ledger_accounts b
      cross join lateral (
        select coalesce(sum(case when t.credit_account = b.id then t.amount else -t.amount end), 0)
                 as sum
          from ledger_transfers t where b.id in (t.debit_account, t.credit_account)) s
      where b.reserve_of is not null and (b.available <> s.sum or b.available < 0)`,
  )
  const held = await query(
    `select b.customer_id, b.currency, b.held, o.open from ledger_accounts b
       left join lateral (
         select coalesce(sum(o.amount), 0) as open from orders o
          where o.customer_id = b.customer_id and o.currency = b.currency
            and o.closed_at is null) o on true
      where b.customer_id is not null and b.held <> o.open`,
  )
  return [
    ...lines(rows, 'I2 balance is not its transfers'),
    ...lines(reserves, 'I2 reserve is not its transfers'),
    ...lines(held, 'I2 held is not what open orders hold'),
  ]
}

/**
 * Numbers of documents have no gap within a year; each payment has the invoice, and each reversal
 * the document, of its amount, customer and currency.
 */
async function documentsAgree(query: Query): Promise<string[]> {
  const gaps = await query(
    `select n.year, n.last, n.count
       from (select left(invoice_number, 4) as year, count(*) as count,
                    max(substr(invoice_number, 6)::bigint) as last
               from invoices group by 1) n
      where n.last <> n.count`,
  )
  const missing = await query(
    `select m.id, m.amount, i.invoice_number, i.total_amount
       from (select id, customer_id, currency, amount, 'invoice' as kind from payments
              union all
             select id, customer_id, currency, amount,
                    case kind when 'reinstatement' then 'invoice' else 'credit_note' end
               from payment_reversals) m
       left join invoices i on i.payment_id = m.id
      where (i.customer_id, i.currency, i.total_amount::bigint, i.kind, i.status)
            is distinct from (m.customer_id, m.currency, m.amount, m.kind, 'paid')`,
  )
  return [
    ...lines(gaps, 'numbers of documents have a gap'),
    ...lines(missing, 'a payment or reversal has not its document'),
  ]
}

/** I4, I5: every order is closed and has one hold with one end; every hold belongs to an order. */
async function ordersEndOnce(query: Query): Promise<string[]> {
  const open = await query(
    `select id, type, domain, state, attempts, error_code, error_detail from orders
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
         or count(*) filter (where e.type = 'capture')
            <> case when o.state = 'succeeded' then 1 else 0 end
         or count(*) filter (where e.type = 'release')
            <> case when o.state = 'failed' then 1 else 0 end`,
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

/** I5: each hold, capture and release is the order's price to the cent. */
async function amountsAgree(query: Query): Promise<string[]> {
  const rows = await query(
    `select o.id, o.amount, t.phase, t.amount as moved
       from orders o join ledger_transfers t on t.operation_id = o.id
      where t.amount <> o.amount
         or (t.customer_id, t.currency) is distinct from (o.customer_id, o.currency)`,
  )
  return lines(rows, 'I5 not the price of its order')
}

/** I6: one terminal audit row for each closed order, and none for an open one. */
async function auditTrail(query: Query): Promise<string[]> {
  const rows = await query(
    `select o.id, o.type, o.state, count(a.id) as terminal
       from orders o
       left join audit_logs a on a.metadata->>'order' = o.id and a.result in ('success', 'failed')
      group by o.id, o.type, o.state
     having count(a.id) <> case when o.state in ('succeeded', 'failed') then 1 else 0 end`,
  )
  return lines(rows, 'I6 order has not one last audit row')
}

/** I6: every audit row matches its hash: SHA-256 over the RFC 8785 form of its fields. */
async function hashes(query: Query): Promise<string[]> {
  const rows = await query(
    `select entry_point, action, actor_type, actor_label, agent_identifier,
            api_key_id::text as api_key_id, customer_id, target_type, target, result, status_code,
            error_code, metadata::text as metadata, created_at::text as created_at,
            encode(row_hash, 'hex') as row_hash, id::text as id
       from audit_logs`,
  )
  const wrong = rows.filter(({ row_hash, id: _id, ...row }) => {
    const fields = {
      ...row,
      metadata: JSON.parse(String(row.metadata)),
      created_at: new Date(`${row.created_at}`).toISOString(),
    }
    const text = canonicalize(fields) ?? ''
    return createHash('sha256').update(text).digest('hex') !== row_hash
  })
  return wrong.map(({ id }) => `I6 audit row ${id} is not what its hash says`)
}
