// Statement: the lines of the ledger with the available and the held amount after each. A purchase
// is one line, which unfolds to its hold; the file has every line, with columns that add up.
import { useState } from 'react'
import type { LedgerTransaction } from 'sdk'
import { Badge, type Tone } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Select } from '../../components/forms/select.tsx'
import { Icon } from '../../components/icon.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { Money } from '../../components/payment/money.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useAccount } from '../../lib/account.ts'
import { csvOf, saveCsv } from '../../lib/csv.ts'
import { toUnicode } from '../../lib/domains/idn.ts'
import { formatMoment, formatMoney } from '../../lib/format.ts'
import { type Currency, readStatement } from '../../lib/money/balance-queries.ts'
import { balanceChangesOf, foldHolds, type PurchaseLine } from '../../lib/money/purchase-lines.ts'
import { useServiceUrls } from '../../lib/sign-in/service-facts.ts'
import { showToast } from '../../lib/toasts.ts'
import { messageOf } from '../../lib/words/failure-words.ts'
import { balanceTexts } from '../../messages/balance-texts.ts'
import { Receipt } from './receipt.tsx'
import { type LineType, useStatementLines } from './statement-lines.ts'

const texts = balanceTexts.statement

const tones: Record<LineType, Tone> = {
  top_up: 'good',
  hold: 'neutral',
  capture: 'accent',
  release: 'neutral',
  refund: 'good',
  reversal: 'bad',
  adjustment: 'warn',
  reserve: 'neutral',
}
const types = [
  ...(['top_up', 'hold', 'capture', 'release', 'refund', 'reversal', 'adjustment'] as const),
  'reserve' as const,
]
const options = [
  { value: '' as const, label: texts.anyType },
  ...types.map((value) => ({ value, label: texts.types[value] })),
]

type Props = { currency: Currency; isSandbox: boolean }

export function Statement({ currency, isSandbox }: Props) {
  const [type, setType] = useState<LineType | ''>('')
  const { query, lines, loaded, isSearching, more, restart } = useStatementLines(currency, type)
  const isEmpty = query.isSuccess && type === '' && loaded === 0
  const choose = (value: LineType | '') => {
    restart()
    setType(value)
  }
  return (
    <section aria-labelledby="statement" className="mt-8">
      <div className="mb-4 flex flex-wrap items-end justify-between gap-3">
        <div className="max-w-xl">
          <h2 id="statement" className="text-lg font-semibold">
            {texts.title}
          </h2>
          <p className="text-muted">{texts.text}</p>
        </div>
        {!isEmpty && (
          <div className="flex flex-wrap gap-2 max-sm:w-full">
            <Select label={texts.type} value={type} options={options} onChange={choose} />
            <Download currency={currency} />
          </div>
        )}
      </div>
      {(query.isPending || (isSearching && lines?.length === 0)) && <Skeleton lines={8} />}
      {query.isError && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      {isEmpty && <NoLines isSandbox={isSandbox} />}
      {!isEmpty && !isSearching && lines?.length === 0 && (
        <EmptyState
          icon="search"
          title={texts.nothing}
          text={query.hasNextPage ? texts.nothingYet(loaded) : texts.nothingText(loaded)}
          action={<Button onClick={() => choose('')}>{texts.clear}</Button>}
        />
      )}
      {lines !== undefined && lines.length > 0 && (
        <Lines
          lines={type === '' ? foldHolds(lines) : lines.map((line) => ({ line, hold: null }))}
        />
      )}
      <div className="mt-4 flex flex-wrap items-center justify-center gap-3">
        {query.hasNextPage && (
          <Button busy={isSearching || query.isFetchingNextPage} onClick={more}>
            {isSearching || query.isFetchingNextPage ? texts.loading : texts.more}
          </Button>
        )}
        {lines !== undefined && !isEmpty && (
          <p role="status" className="text-sm text-muted">
            {type === '' ? texts.shown(lines.length) : texts.found(lines.length, loaded)}
          </p>
        )}
      </div>
    </section>
  )
}

function Download({ currency }: { currency: Currency }) {
  const { id } = useAccount()
  const [isBusy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    try {
      const lines = await readStatement(id, currency)
      const changes = balanceChangesOf(lines)
      const header = ['created_at', 'type', 'description', 'domain', 'domain_unicode']
      const rows = lines.map((line, at) => [
        line.created_at,
        line.type,
        line.description,
        line.domain ?? '',
        toUnicode(line.domain ?? ''),
        ...[changes[at]?.available, changes[at]?.held, changes[at]?.balance].map(String),
        line.currency,
        line.balance_after,
        line.held_after,
        line.operation_id ?? '',
      ])
      const moved = ['available_change', 'held_change', 'balance_change', 'currency']
      header.push(...moved, 'available_after', 'held_after', 'operation_id')
      saveCsv(`statement-${currency.toLowerCase()}.csv`, csvOf(header, rows))
    } catch (error) {
      const description = messageOf(error)
      showToast({ title: texts.downloadFailed, description })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button busy={isBusy} onClick={() => void download()} className="max-sm:grow">
      <Icon name="download" />
      {texts.download}
    </Button>
  )
}

type Shown = PurchaseLine<LedgerTransaction>

const numberCell = 'px-4 py-2.5 text-right align-top whitespace-nowrap tabular-nums'
const headCell = 'h-10 border-b border-line px-4 text-xs font-medium text-muted'

/** The lines as a table; on phones each is a block of its own. */
function Lines({ lines }: { lines: readonly Shown[] }) {
  const { columns } = texts
  return (
    <div className="overflow-hidden rounded-xl border border-line bg-surface shadow-card">
      <table className="w-full border-collapse max-sm:block">
        <thead className="max-sm:sr-only">
          <tr>
            <th scope="col" className={`${headCell} text-left`}>
              {columns.date}
            </th>
            <th scope="col" className={`${headCell} text-left`}>
              {columns.description}
            </th>
            <th scope="col" className={`${headCell} text-right`}>
              {columns.amount}
            </th>
            <th scope="col" className={`${headCell} text-right`}>
              {columns.available}
            </th>
            <th scope="col" className={`${headCell} text-right`}>
              {columns.held}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line max-sm:block">
          {lines.map((shown) => (
            <Line key={shown.line.id} {...shown} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Line({ line, hold }: Shown) {
  const { type, amount, currency, created_at, description, domain } = line
  const isIncome = line.counts && !amount.startsWith('-')
  return (
    <tr className="max-sm:grid max-sm:grid-cols-2 max-sm:gap-x-4 max-sm:px-4 max-sm:py-3">
      <td className="px-4 py-2.5 align-top whitespace-nowrap text-muted max-sm:order-2 max-sm:p-0 max-sm:text-sm">
        <time dateTime={created_at}>{formatMoment(created_at)}</time>
      </td>
      <td className="px-4 py-2.5 align-top max-sm:order-1 max-sm:col-span-2 max-sm:p-0">
        <span className="mr-2 font-medium break-words">{toUnicode(description)}</span>
        <span title={texts.meanings[type]}>
          <Badge tone={tones[type]}>{texts.types[type]}</Badge>
        </span>
        {domain !== null && domain !== toUnicode(domain) && (
          <code className="block font-mono text-xs break-all text-muted">{domain}</code>
        )}
        {hold !== null && <Hold hold={hold} ended={type} />}
        {hold === null && isOfOrder(type) && (
          <span className="block text-sm text-muted">{texts.meanings[type]}</span>
        )}
        <Receipt line={line} />
      </td>
      <td
        className={`${numberCell} font-medium max-sm:order-3 max-sm:p-0 ${isIncome ? 'text-good' : ''} ${line.counts ? '' : 'text-muted'}`}
      >
        {isIncome && '+'}
        <Money amount={amount} currency={currency} />
      </td>
      <td className={`${numberCell} max-sm:order-4 max-sm:p-0 max-sm:text-left max-sm:text-sm`}>
        <span className="block text-muted sm:hidden">{texts.columns.available}</span>
        <Money amount={line.balance_after} currency={currency} />
      </td>
      <td className={`${numberCell} text-muted max-sm:order-5 max-sm:p-0 max-sm:text-sm`}>
        <span className="block sm:hidden">{texts.columns.held}</span>
        <Money amount={line.held_after} currency={currency} />
      </td>
    </tr>
  )
}

/** The hold of a purchase and its end, which the reader can unfold. */
function Hold({ hold, ended }: { hold: LedgerTransaction; ended: LineType }) {
  const { amount, currency, created_at, balance_after, held_after } = hold
  return (
    <details className="text-sm text-muted">
      <summary className="w-fit cursor-pointer hover:text-ink">
        {texts.heldFirst(formatMoney(unsigned(amount), currency))}
      </summary>
      <p className="mt-1">
        <time dateTime={created_at}>{formatMoment(created_at)}</time>: {texts.meanings.hold}{' '}
        {texts.afterHold(formatMoney(balance_after, currency), formatMoney(held_after, currency))}
      </p>
      <p>{texts.meanings[ended]}</p>
    </details>
  )
}

const unsigned = (amount: string) => amount.replace(/^-/, '')

/**
 * Whether a line is of an order. Its hold and its payment have the same amount and are one charge,
 * so each says which money it moved.
 */
function isOfOrder(type: LineType): boolean {
  return type === 'hold' || type === 'capture' || type === 'release'
}

function NoLines({ isSandbox }: { isSandbox: boolean }) {
  const { base_url } = useServiceUrls()
  const { id } = useAccount()
  const curl = `curl ${base_url}/v1/customers/${id}/billing/transactions \\
  -H "Authorization: Bearer $API_KEY"`
  const { title, text, sandbox } = balanceTexts.empty
  return <EmptyState icon="wallet" title={title} text={isSandbox ? sandbox : text} curl={curl} />
}
