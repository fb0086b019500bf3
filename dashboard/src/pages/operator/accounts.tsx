// An account, found by its id: suspend, resume or close it.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CustomerResponse } from 'sdk'
import {
  closeCustomer,
  getBalance,
  getCustomer,
  resumeCustomer,
  suspendCustomer,
} from 'sdk-of-operators'
import { useSearchParams } from 'wouter'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { type Asked, DecisionDialog } from '../../components/operator/decision-dialog.tsx'
import { WorkCard } from '../../components/operator/work-list.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Money } from '../../components/payment/money.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { answerOf } from '../../lib/api.ts'
import { formatMoment } from '../../lib/format.ts'
import { operatorAccountTexts as texts } from '../../messages/operator/work.ts'

const accountKey = 'operator-account'
const tones = { active: 'good', suspended: 'warn', closed: 'neutral' } as const

export default function AccountsPage() {
  const [search, setSearch] = useSearchParams()
  const id = search.get('id') ?? ''
  return (
    <>
      <PageHeader title={texts.title} subtitle={texts.subtitle} />
      <form
        key={id}
        className="mb-6 flex max-w-xl items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          const given = new FormData(event.currentTarget).get('id')
          setSearch({ id: String(given ?? '').trim() })
        }}
      >
        <div className="min-w-0 grow">
          <Field
            label={texts.id}
            name="id"
            defaultValue={id}
            placeholder={texts.idHint}
            autoComplete="off"
            spellCheck={false}
          />
        </div>
        <Button type="submit" look="primary">
          {texts.find}
        </Button>
      </form>
      {id !== '' && <Account id={id} />}
    </>
  )
}

function Account({ id }: { id: string }) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const query = useQuery({
    queryKey: [accountKey, id],
    queryFn: async () => {
      const path = { customer_id: id }
      const customer = await answerOf(getCustomer({ path }))
      const balances = await Promise.all(
        (['USD', 'EUR'] as const).map((currency) =>
          answerOf(getBalance({ path, query: { currency } })),
        ),
      )
      return { customer, balances: balances.filter(({ updated_at }) => updated_at !== null) }
    },
  })
  if (query.isPending) return <Skeleton lines={6} />
  if (query.data === undefined)
    return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
  const { customer, balances } = query.data
  return (
    <>
      <WorkCard
        title={customer.name}
        badges={<Badge tone={tones[customer.status]}>{texts.statuses[customer.status]}</Badge>}
        actions={<Actions customer={customer} onAsk={setAsked} />}
        facts={[
          [texts.email, customer.email],
          ...(customer.company_name ? [[texts.company, customer.company_name] as const] : []),
          [texts.id, customer.id],
          [texts.created, formatMoment(customer.created_at)],
          ...balances.map(
            ({ currency, total }) =>
              [
                `${texts.balance} ${currency}`,
                <Money key={currency} amount={total} currency={currency} />,
              ] as const,
          ),
        ]}
      />
      {asked && (
        <DecisionDialog asked={asked} stale={[[accountKey]]} onClose={() => setAsked(null)} />
      )}
    </>
  )
}

type Props = { customer: CustomerResponse; onAsk: (asked: Asked) => void }

function Actions({ customer, onAsk }: Props) {
  const { status } = customer
  return (
    <>
      {status === 'active' && (
        <Button size="sm" onClick={() => onAsk(suspensionOf(customer))}>
          {texts.suspend}
        </Button>
      )}
      {status !== 'active' && (
        <Button size="sm" look="primary" onClick={() => onAsk(resumptionOf(customer))}>
          {texts.resume}
        </Button>
      )}
      {status !== 'closed' && (
        <Button size="sm" onClick={() => onAsk(closureOf(customer))}>
          {texts.close}
        </Button>
      )}
    </>
  )
}

function suspensionOf({ id, name }: CustomerResponse): Asked {
  return {
    title: texts.suspendOf(name),
    text: texts.suspendText,
    action: texts.suspend,
    done: texts.suspendDone(name),
    force: null,
    reason: { label: texts.reason, hint: texts.suspendHint, name: 'reason' },
    isDanger: true,
    run: ({ reason }) => answerOf(suspendCustomer({ path: { id }, body: { reason } })),
  }
}

function resumptionOf({ id, name }: CustomerResponse): Asked {
  return {
    title: texts.resumeOf(name),
    text: texts.resumeText,
    action: texts.resume,
    done: texts.resumeDone(name),
    force: null,
    reason: null,
    run: () => answerOf(resumeCustomer({ path: { id } })),
  }
}

function closureOf({ id, name }: CustomerResponse): Asked {
  return {
    title: texts.closeOf(name),
    text: texts.closeText,
    action: texts.close,
    done: texts.closeDone(name),
    force: null,
    reason: { label: texts.reason, hint: texts.reasonHint, name: 'reason' },
    isDanger: true,
    run: ({ reason }) => answerOf(closeCustomer({ path: { id }, body: { reason } })),
  }
}
