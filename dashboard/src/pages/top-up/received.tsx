// Received payments, and a form that reports a payment that is not shown yet.
import type { FormEvent } from 'react'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Field } from '../../components/field.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { Money } from '../../components/payment/money.tsx'
import { FiguresTable } from '../../components/table/figures-table.tsx'
import { fieldProblems } from '../../lib/api.ts'
import { type Checkout, useReport } from '../../lib/money/top-up-queries.ts'
import { topUpTexts } from '../../messages/money/top-up-texts.ts'

const texts = topUpTexts.pay
type Transaction = Checkout['transactions'][number]

export function Received({ checkout }: { checkout: Checkout }) {
  const { id, status, transactions, currency } = checkout
  const { columns } = texts
  return (
    <>
      {transactions.length > 0 && (
        <Card title={texts.transactions}>
          <FiguresTable
            inset="pl-5"
            height="h-10"
            onPhones={2}
            headers={[columns.transaction, columns.amount, columns.state, columns.credited]}
            rows={transactions.map((one) => ({
              key: one.id,
              header: <ShortId text={one.transaction_id} />,
              cells: [
                `${one.amount ?? '?'} ${one.asset}`,
                stateOf(one),
                <Money key="credited" amount={one.credited_amount} currency={currency} />,
              ],
            }))}
          />
        </Card>
      )}
      {status !== 'paid' && status !== 'created' && <Report id={id} />}
    </>
  )
}

function stateOf({ state, confirmations, treatment, reason, late }: Transaction): string {
  if (treatment === 'parked') return texts.parked(wordsOf(reason))
  if (treatment === 'kept') return texts.kept
  const shown = state === 'seen' ? `${texts.states.seen} (${confirmations})` : texts.states[state]
  return late ? texts.late(shown) : shown
}

function wordsOf(reason: string | null): string {
  return Object.entries(texts.reasons).find(([one]) => one === reason)?.[1] ?? texts.otherReason
}

function ShortId({ text }: { text: string }) {
  return (
    <code title={text} className="font-mono text-sm">
      {text.length > 20 ? `${text.slice(0, 10)}…${text.slice(-6)}` : text}
    </code>
  )
}

function Report({ id }: { id: string }) {
  const { mutate, isPending, isSuccess, error } = useReport(id)
  const problem = fieldProblems(error).transaction_id
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = new FormData(event.currentTarget).get('transaction_id')
    if (typeof text === 'string') mutate(text.trim())
  }
  return (
    <Card title={texts.paid}>
      <form onSubmit={submit} noValidate className="flex flex-col gap-3 p-5">
        <p className="text-muted">{texts.paidText}</p>
        <div className="flex flex-wrap items-end gap-2">
          <div className="min-w-60 grow">
            <Field
              label={texts.transaction}
              name="transaction_id"
              autoComplete="off"
              spellCheck={false}
              problem={problem}
            />
          </div>
          <Button type="submit" busy={isPending}>
            {texts.report}
          </Button>
        </div>
        <p role="status" className="text-sm text-muted empty:hidden">
          {isSuccess && texts.reported}
        </p>
        {error !== null && problem === undefined && <ErrorNotice error={error} />}
      </form>
    </Card>
  )
}
