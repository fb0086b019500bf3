// Commands for bookkeepers: the trial balance as a table, and transfers as a CSV file.
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import Type, { type Static } from 'typebox'
import { trialBalanceResponse } from '../capabilities/bookkeeping/index.ts'
import { compile } from '../kit/schema.ts'
import { callService } from './call-service.ts'

type Say = (line: string) => void
type Fields = Record<string, string | undefined>
type TrialBalance = Static<typeof trialBalanceResponse>

const trialBalances = compile(trialBalanceResponse)
const transferPages = compile(Type.Object({ complete: Type.Boolean() }))

/** Prints the trial balance. Returns 1 where the ledger is not sound. */
export async function trialBalanceCommand(say: Say, fields: Fields): Promise<number> {
  const response = await get('/v1/internal/ledger/trial-balance', fields)
  if (!response.ok) return sayProblem(say, response)
  const report = trialBalances.parse(await response.json())
  const until = `${report.at.slice(0, 19).replace('T', ' ')} UTC`
  const extent = report.complete ? '' : ', of the transfers committed so far'
  say(`Trial balance at ${until}${extent}`)
  for (const line of tableOf(report)) say(line)
  say('')
  for (const line of conclusionOf(report)) say(line)
  return report.sound ? 0 : 1
}

/** Writes the CSV file as it comes. `warn` gets the lines that do not belong into it. */
export async function exportTransfersCommand(
  { out, warn }: { out: Writable; warn: Say },
  days: Fields,
): Promise<number> {
  const path = '/v1/internal/ledger/transfers'
  const first = await get(path, { ...days, limit: '1' })
  if (!first.ok) return sayProblem(warn, first)
  const { complete } = transferPages.parse(await first.json())
  if (!complete) warn('These days are not over: later transfers are missing from the file.')
  const file = await get(path, { ...days, format: 'csv' })
  if (!file.ok || !file.body) return sayProblem(warn, file)
  await pipeline(Readable.fromWeb(file.body), out, { end: false })
  return 0
}

async function get(path: string, fields: Fields): Promise<Response> {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined) query.set(name, value)
  return callService(`${path}?${query}`)
}

async function sayProblem(say: Say, response: Response): Promise<number> {
  say(JSON.stringify(await response.json(), null, 2))
  return 1
}

const figures = ['debits', 'credits', 'balance', 'pending'] as const

function tableOf({ accounts, currencies }: TrialBalance): string[] {
  const rows = currencies.flatMap((total) => [
    [],
    [total.currency, ...figures],
    ...accounts
      .filter(({ currency }) => currency === total.currency)
      .map((one) => [`  ${one.code}`, ...figures.map((figure) => grouped(one[figure]))]),
    [
      '  total',
      ...[total.debits, total.credits].map(grouped),
      total.balanced ? '0.00' : 'NOT ZERO',
      grouped(total.pending),
    ],
  ])
  const widthOf = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  const widths = ['code', ...figures].map((_, column) => widthOf(column))
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0
        return column === 0 ? cell.padEnd(width) : cell.padStart(width)
      })
      .join('  ')
      .trimEnd(),
  )
}

/** Writes an amount with thousands separators. */
function grouped(amount: string): string {
  return amount.replaceAll(/\B(?=(\d{3})+\.)/g, ',')
}

function conclusionOf({ comparison, sound, currencies }: TrialBalance): string[] {
  const lines = currencies
    .filter(({ balanced }) => !balanced)
    .map(({ currency }) => `NOT BALANCED: the debits in ${currency} differ from its credits.`)
  if (comparison === null) return [...lines, 'Balances are compared without --at only.']
  const { customers, differing, differences } = comparison
  for (const { account, customer_id, currency, field, transfers, recorded } of differences)
    lines.push(
      `DIFFERS: ${account} ${customer_id ?? ''} ${currency} ${field}: ` +
        `${transfers} by transfers, ${recorded} recorded`,
    )
  if (differing > differences.length)
    lines.push(`... and ${differing - differences.length} amounts more.`)
  const compared = `Compared: all accounts of the service, and those of customers: ${customers}.`
  return [...lines, compared, sound ? 'The ledger is sound.' : 'THE LEDGER IS NOT SOUND.']
}
