// Invariant I10: each cent that a gateway or processor has received, by its own records, is
// credited once, and nothing else is: a credit without a payment is money that does not exist.
import type { AuditInput, Receipt } from './auditor-input.ts'

/** This only covers the rails whose receipts are given. */
export async function auditPayments({ query, receipts = {} }: AuditInput): Promise<string[]> {
  const found: string[] = []
  for (const [account, given = []] of Object.entries(receipts)) {
    const credited = await creditedOf(query, account)
    const received = centsOf(given)
    for (const reference of new Set([...credited.keys(), ...received.keys()])) {
      const facts = { received: received.get(reference), credited: credited.get(reference) }
      if ((facts.received ?? 0n) !== (facts.credited ?? 0n))
        found.push(
          `I10 ${account} ${reference}: received ${facts.received}, credited ${facts.credited}`,
        )
    }
  }
  return found
}

function centsOf(receipts: readonly Receipt[]): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { reference, cents } of receipts)
    sums.set(reference, (sums.get(reference) ?? 0n) + cents)
  return sums
}

/**
 * Uses the transfers of the ledger instead of the rows of the payments. A credit that names neither
 * a checkout nor a payment intent was reported by an operator alone.
 */
async function creditedOf(
  query: AuditInput['query'],
  account: string,
): Promise<Map<string, bigint>> {
  const rows = await query(
    `select reference, sum(amount)::text as cents
       from (select coalesce(c.reference, p.processor_payment_intent_id) as reference,
                    case when t.credited_payment is not null or r.kind = 'reinstatement'
                         then t.amount else -t.amount end as amount
               from ledger_transfers t
               left join payment_reversals r on r.id = t.reversal_id
               join payments p on p.id = coalesce(t.credited_payment, r.payment_id)
               left join checkouts c on c.id = p.checkout_id
              where p.account = $1) moved
      where reference is not null
      group by reference`,
    [account],
  )
  return new Map(rows.map(({ reference, cents }) => [String(reference), BigInt(String(cents))]))
}
