// Invoices and credit notes, newest first, each as a PDF once it is paid.
import { useInfiniteQuery } from '@tanstack/react-query'
import { type BillingInvoiceResponse, downloadInvoice, listInvoices } from 'sdk'
import { Link } from 'wouter'
import { Badge, type Tone } from '../components/badge.tsx'
import { Button, buttonClass } from '../components/button.tsx'
import { DownloadButton } from '../components/download-button.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { ErrorNotice } from '../components/notice.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Money } from '../components/payment/money.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { useAccount } from '../lib/account.ts'
import { answerOf } from '../lib/api.ts'
import { formatDay } from '../lib/format.ts'
import { routes } from '../lib/routes.ts'
import { useServiceUrls } from '../lib/sign-in/service-facts.ts'
import { invoiceTexts as texts } from '../messages/money/invoice-texts.ts'

const page_size = 50
const firstPage: { cursor?: string } = {}

export default function InvoicesPage() {
  const { id: customer_id } = useAccount()
  const query = useInfiniteQuery({
    queryKey: ['invoices'],
    queryFn: ({ pageParam }) =>
      answerOf(listInvoices({ path: { customer_id }, query: { limit: page_size, ...pageParam } })),
    initialPageParam: firstPage,
    getNextPageParam: ({ next_cursor }) => (next_cursor === null ? null : { cursor: next_cursor }),
  })
  const list = query.data?.pages.flatMap(({ invoices }) => invoices)
  return (
    <>
      <PageHeader title={texts.title} subtitle={<Subtitle />} />
      {query.isPending && <Skeleton lines={8} />}
      {query.isError && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      {list?.length === 0 && <NoInvoices customerId={customer_id} />}
      {list !== undefined && list.length > 0 && <Invoices list={list} />}
      <div className="mt-4 flex flex-wrap items-center justify-center gap-3">
        {query.hasNextPage && (
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {texts.more}
          </Button>
        )}
        {list !== undefined && list.length > 0 && (
          <p role="status" className="text-sm text-muted">
            {texts.shown(list.length)}
          </p>
        )}
      </div>
    </>
  )
}

function Subtitle() {
  return (
    <>
      {texts.subtitle} {texts.receipts}{' '}
      <Link href={routes.balance} className="text-accent-ink underline">
        {texts.statement}
      </Link>
      .
    </>
  )
}

const headCell = 'h-10 border-b border-line px-4 text-xs font-medium text-muted'

/** The documents as a table; on phones each is a block of its own. */
function Invoices({ list }: { list: readonly BillingInvoiceResponse[] }) {
  const { columns } = texts
  const heads = [columns.number, columns.issued, columns.description]
  return (
    <div className="overflow-hidden rounded-xl border border-line bg-surface shadow-card">
      <table className="w-full border-collapse max-sm:block">
        <thead className="max-sm:sr-only">
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col" className={`${headCell} text-left`}>
                {head}
              </th>
            ))}
            <th scope="col" className={`${headCell} text-right`}>
              {columns.amount}
            </th>
            <th scope="col" className={`${headCell} text-right`}>
              {columns.file}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line max-sm:block">
          {list.map((invoice) => (
            <Row key={invoice.id} invoice={invoice} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

const tones: Record<BillingInvoiceResponse['status'], Tone> = {
  open: 'warn',
  paid: 'good',
  void: 'neutral',
}
const cell = 'px-4 py-3 align-top max-sm:p-0'

function Row({ invoice }: { invoice: BillingInvoiceResponse }) {
  const { invoice_number, kind, status, currency, total_amount, issued_at, due_at, items } = invoice
  const isNote = kind === 'credit_note'
  return (
    <tr className="max-sm:grid max-sm:grid-cols-[1fr_auto] max-sm:gap-x-4 max-sm:gap-y-1 max-sm:px-4 max-sm:py-3">
      <td className={`${cell} whitespace-nowrap`}>
        <span className="mr-2 font-medium tabular-nums">{invoice_number}</span>
        {isNote ? (
          <Badge tone="accent">{texts.kinds.credit_note}</Badge>
        ) : (
          <Badge tone={tones[status]}>{texts.statuses[status]}</Badge>
        )}
      </td>
      <td className={`${cell} whitespace-nowrap text-muted max-sm:order-3 max-sm:text-sm`}>
        <time dateTime={issued_at}>{formatDay(issued_at)}</time>
        {status === 'open' && due_at !== null && (
          <span className="block text-sm">{texts.due(formatDay(due_at))}</span>
        )}
      </td>
      <td className={`${cell} min-w-0 max-sm:order-5 max-sm:col-span-2`}>
        <span className="line-clamp-2 break-words">{items[0]?.description}</span>
        {items.length > 1 && (
          <span className="block text-sm text-muted">{texts.others(items.length - 1)}</span>
        )}
      </td>
      <td className={`${cell} text-right font-medium whitespace-nowrap max-sm:order-2`}>
        <Money amount={isNote ? `-${total_amount}` : total_amount} currency={currency} />
      </td>
      <td className={`${cell} text-right whitespace-nowrap max-sm:order-4`}>
        {status === 'paid' ? (
          <Download invoice={invoice} />
        ) : (
          <span className="text-sm text-muted">{texts.noFile}</span>
        )}
      </td>
    </tr>
  )
}

function Download({ invoice }: { invoice: BillingInvoiceResponse }) {
  const { id: invoice_id, customer_id, invoice_number, kind } = invoice
  const path = { customer_id, invoice_id }
  return (
    <DownloadButton
      file={`${kind.replace('_', '-')}-${invoice_number}.pdf`}
      load={() => answerOf(downloadInvoice({ path, parseAs: 'blob' }))}
      label={texts.downloadOf(invoice_number)}
      failed={texts.downloadFailed}
    >
      {texts.download}
    </DownloadButton>
  )
}

function NoInvoices({ customerId }: { customerId: string }) {
  const { base_url } = useServiceUrls()
  const curl = `curl ${base_url}/v1/customers/${customerId}/billing/invoices \\
  -H "Authorization: Bearer $API_KEY"`
  const action = (
    <Link href={routes.balance} className={buttonClass('primary')}>
      {texts.empty.action}
    </Link>
  )
  const { title, text } = texts.empty
  return <EmptyState icon="receipt" title={title} text={text} action={action} curl={curl} />
}
