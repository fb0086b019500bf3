// Suspends, resumes and closes the account of a customer's profile.
import { useState } from 'react'
import type { CustomerToolProfile } from 'sdk'
import { closeCustomer, resumeCustomer, suspendCustomer } from 'sdk-of-operators'
import { Button } from '../../components/button.tsx'
import { type Asked, DecisionDialog } from '../../components/operator/decision-dialog.tsx'
import { answerOf } from '../../lib/api.ts'
import { customersKey, profileKey } from '../../lib/operator/customer-keys.ts'
import { accountStatusTexts as texts } from '../../messages/operator/customer-texts.ts'

type Customer = CustomerToolProfile['customer']

export function AccountStatus({ customer }: { customer: Customer }) {
  const [asked, setAsked] = useState<Asked | null>(null)
  return (
    <>
      <Actions customer={customer} onAsk={setAsked} />
      {asked && (
        <DecisionDialog
          asked={asked}
          stale={[[profileKey], [customersKey]]}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}

type Props = { customer: Customer; onAsk: (asked: Asked) => void }

function Actions({ customer, onAsk }: Props) {
  const { status } = customer
  return (
    <>
      {status === 'active' && (
        <Button onClick={() => onAsk(suspensionOf(customer))}>{texts.suspend}</Button>
      )}
      {status !== 'active' && (
        <Button look="primary" onClick={() => onAsk(resumptionOf(customer))}>
          {texts.resume}
        </Button>
      )}
      {status !== 'closed' && (
        <Button onClick={() => onAsk(closureOf(customer))}>{texts.close}</Button>
      )}
    </>
  )
}

function suspensionOf({ id, name }: Customer): Asked {
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

function resumptionOf({ id, name }: Customer): Asked {
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

function closureOf({ id, name }: Customer): Asked {
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
