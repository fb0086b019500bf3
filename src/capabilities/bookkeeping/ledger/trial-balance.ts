// Reads the trial balance, debits and credits of every account from the transfers themselves: GET
// /v1/internal/ledger/trial-balance.

import Type, { type Static } from 'typebox'
import { type App, operation, operatorOnly } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import type { Row } from '../../../db/statement.ts'
import { FieldReader } from '../../../kit/field-reader.ts'
import { type Currency, currencies, formatAmount } from '../../../kit/money.ts'
import type { CustomerId } from '../../../kit/random.ts'
import { amount, dateTime, nullable, oneOf, stringOf, wordOf } from '../../../kit/schema.ts'
import { isComplete } from '../days.ts'
import { type Comparison, compareAccounts } from './compare-accounts.ts'
import { lastTransfer, ownAccounts, transferSums } from './ledger-reports.sql.ts'

const account = Type.Object(
  {
    code: Type.String({
      description:
        'The code of the account; "customer" stands for the accounts of all customers together.',
    }),
    currency: oneOf(currencies),
    debits: amount('The amount that was posted to the debit side.'),
    credits: amount('The amount that was posted to the credit side.'),
    balance: amount('Debits less credits: assets are above zero, liabilities and sales below.'),
    pending: amount(
      'The amount that open orders hold, debits less credits. It is not part of the balance.',
    ),
  },
  { title: 'TrialBalanceAccount' },
)

const difference = Type.Object(
  {
    account: Type.String({ description: 'The code of the account.' }),
    customer_id: nullable(
      stringOf<CustomerId>({ description: "The owner of a customer's account." }),
    ),
    currency: oneOf(currencies),
    field: oneOf(['available', 'held', 'reserved', 'balance'], {
      description: 'Which amount differs.',
    }),
    transfers: amount('The amount by the transfers of the account.'),
    recorded: amount(
      'The amount by the balance of the customer, or by payments, orders and the like.',
    ),
  },
  { title: 'LedgerDifference' },
)

export const trialBalanceResponse = Type.Object(
  {
    at: dateTime('The moment before which all transfers were summed.'),
    complete: Type.Boolean({
      description: 'False if a transfer of the time before may still be committed.',
    }),
    accounts: Type.Array(account),
    currencies: Type.Array(
      Type.Object({
        currency: oneOf(currencies),
        debits: amount('The debits of all accounts.'),
        credits: amount('The credits of all accounts.'),
        pending: amount('The pending amount of all accounts, which is zero.'),
        balanced: Type.Boolean({
          description: 'Whether debits equal credits and pending is zero.',
        }),
      }),
    ),
    comparison: nullable(
      Type.Object(
        {
          customers: Type.Integer({
            description: "The number of customers' accounts that were compared.",
          }),
          differing: Type.Integer({
            description: 'The number of amounts that differ, which is zero in a consistent ledger.',
          }),
          differences: Type.Array(difference, { description: 'The first hundred of them.' }),
        },
        { description: 'Null with "at", since balances are only compared with all transfers.' },
      ),
    ),
    sound: Type.Boolean({ description: 'Whether every currency is balanced and nothing differs.' }),
  },
  { title: 'TrialBalanceResponse' },
)

export const trialBalance = operation({
  name: 'trial_balance',
  does: 'Read the trial balance: debits and credits of every account and currency.',
  more:
    "Without at, each customer's balance is compared with the sum of its transfers, and each " +
    'account of the service with payments, reversals, orders, adjustments and debts.',
  at: 'GET /v1/internal/ledger/trial-balance',
  area: 'Billing',
  who: operatorOnly(),
  takes: Type.Object({
    at: Type.Optional(
      dateTime('Sums only the transfers before this time, or all of them if it is left out.'),
    ),
  }),
  gives: trialBalanceResponse,
  fails: [],
  effect: 'none',
  async run({ at }, _call, app) {
    const reading = new FieldReader()
    const before = reading.moment('at', at)
    reading.finish()
    const now = app.clock.now()
    const report = await app.db.transaction((sql) => balance(sql, before), snapshot)
    alarmIfUnsound(app, report)
    const moment = before ?? now
    return { at: moment.toISOString(), complete: isComplete(moment, now), ...report }
  },
})

/** All statements must see the same transfers. */
export const snapshot = { isolation: 'repeatable read' } as const

/**
 * Reads in one snapshot. Null stands for all transfers, whose sums are compared with balances and
 * evidence.
 */
export async function balance(sql: Sql, before: Date | null) {
  const sums = await sumTransfers(sql, before)
  const own = [...sums].filter(([key]) => !key.startsWith('customer '))
  const balances = new Map(own.map(([key, one]) => [key, one.debits - one.credits]))
  const comparison = before === null ? await compareAccounts(sql, balances) : null
  return reportOf(sums, comparison)
}

/** Rows were changed past the functions of the ledger, or one of these is wrong. */
export function alarmIfUnsound({ log }: Pick<App, 'log'>, report: ReturnType<typeof reportOf>) {
  if (report.sound) return
  const facts = { ...report.comparison, alarm: 'ledger_differs' }
  log.error(facts, 'the ledger differs from its evidence')
}

type Sums = { debits: bigint; credits: bigint; pending: bigint }
/** Sums by `code currency`. */
type AccountSums = Map<string, Sums>

/** The number of ids that one statement sums, so that it takes about a second. */
const at_once = 500_000n

async function sumTransfers(sql: Sql, before: Date | null): Promise<AccountSums> {
  const own = await sql.run(ownAccounts)
  const keys = new Map(own.map(({ id, code, currency }) => [id, `${code} ${currency}`]))
  const zero = () => ({ debits: 0n, credits: 0n, pending: 0n })
  const names = [...currencies.map((currency) => `customer ${currency}`), ...keys.values()]
  const sums: AccountSums = new Map(names.map((name) => [name, zero()]))
  const { id: last } = await sql.one(lastTransfer)
  for (let after = 0n; after < last; after += at_once) {
    const range = { after, up_to: after + at_once, before }
    for (const row of await sql.run(transferSums, range)) post(row, keys, sums)
  }
  return sums
}

function post(row: Row<'bookkeeping_transfer_sums'>, keys: Map<bigint, string>, sums: AccountSums) {
  const of = (id: bigint | null) => {
    const key = id === null ? `customer ${row.currency}` : keys.get(id)
    const found = key === undefined ? undefined : sums.get(key)
    if (!found) throw new Error(`A transfer is of the account ${id}, which is not ours`)
    return found
  }
  const [debited, credited] = [of(row.debit_account), of(row.credit_account)]
  const moved = BigInt(row.amount)
  if (row.phase !== 'single') {
    const held = row.phase === 'pending' ? moved : -moved
    debited.pending += held
    credited.pending -= held
  }
  if (row.phase !== 'single' && row.phase !== 'post') return
  debited.debits += moved
  credited.credits += moved
}

function reportOf(sums: AccountSums, comparison: Comparison | null) {
  const rows = [...sums].map(([key, one]) => {
    const [code = '', currency = ''] = key.split(' ')
    return { code, currency: wordOf(currencies, currency), ...one }
  })
  const perCurrency = currencies.map((currency) =>
    totalOf(
      currency,
      rows.filter((row) => row.currency === currency),
    ),
  )
  const balanced = perCurrency.every((one) => one.balanced)
  return {
    accounts: rows.map(({ code, currency, debits, credits, pending }) => ({
      code,
      currency,
      debits: formatAmount(debits),
      credits: formatAmount(credits),
      balance: formatAmount(debits - credits),
      pending: formatAmount(pending),
    })),
    currencies: perCurrency,
    comparison: comparison && {
      ...comparison,
      differences: comparison.differences.map((one) => ({
        ...one,
        currency: wordOf(currencies, one.currency),
      })),
    },
    sound: balanced && (comparison === null || comparison.differing === 0),
  } satisfies Partial<Static<typeof trialBalanceResponse>>
}

function totalOf(currency: Currency, rows: readonly Sums[]) {
  const sum = (of: keyof Sums) => rows.reduce((all, row) => all + row[of], 0n)
  const [debits, credits, pending] = [sum('debits'), sum('credits'), sum('pending')]
  return {
    currency,
    debits: formatAmount(debits),
    credits: formatAmount(credits),
    pending: formatAmount(pending),
    balanced: debits === credits && pending === 0n,
  }
}
