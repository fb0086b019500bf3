// The switch "Notify this browser": web push for the requests that wait. It is hidden if the
// service has no key for push.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Card } from '../../components/card.tsx'
import { Switch } from '../../components/forms/switch.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { useAccount } from '../../lib/account.ts'
import { ApiError, failureHere } from '../../lib/api.ts'
import { readPush, turnPushOff, turnPushOn } from '../../lib/push/this-browser.ts'
import { useServiceFacts } from '../../lib/sign-in/service-facts.ts'
import { settingsTexts } from '../../messages/approvals/settings-texts.ts'

const texts = settingsTexts.push
const pushKey = ['push'] as const

export function PushSwitch() {
  const facts = useServiceFacts()
  const public_key = facts.state === 'read' ? facts.service.vapid_public_key : null
  return public_key === null ? null : <Notifications publicKey={public_key} />
}

function Notifications({ publicKey }: { publicKey: string }) {
  const { id: customer_id } = useAccount()
  const queries = useQueryClient()
  /** The state that the user has chosen, which is shown at once while the change runs. */
  const [wanted, setWanted] = useState<boolean | null>(null)
  const [error, setError] = useState<unknown>(null)
  const push = useQuery({ queryKey: pushKey, queryFn: () => readPush(customer_id) })
  const state = push.data
  const turn = async (on: boolean) => {
    setWanted(on)
    setError(null)
    try {
      const next = on ? turnPushOn(customer_id, publicKey) : turnPushOff(customer_id)
      queries.setQueryData(pushKey, await next)
    } catch (failure) {
      const isOurs = failure instanceof ApiError
      setError(isOurs ? failure : failureHere('push_failed', texts.failed, texts.failedHint))
    }
    setWanted(null)
  }
  const isBlocked = state === 'denied' || state === 'unsupported'
  return (
    <Card title={texts.title}>
      <div className="flex flex-col gap-3 p-5">
        {push.isError && <ErrorNotice error={push.error} onRetry={() => void push.refetch()} />}
        {error !== null && <ErrorNotice error={error} />}
        <div className="flex items-center justify-between gap-4">
          <span aria-hidden="true" className="font-medium">
            {texts.label}
          </span>
          <Switch
            label={texts.label}
            checked={wanted ?? state === 'on'}
            disabled={state === undefined || isBlocked || wanted !== null}
            onChange={(on) => void turn(on)}
          />
        </div>
        <p className="text-muted">{texts.text}</p>
        <p role="status" className="text-sm empty:hidden">
          {state === 'on' && texts.on}
          {state === 'denied' && texts.denied}
          {state === 'unsupported' && texts.unsupported}
        </p>
      </div>
    </Card>
  )
}
