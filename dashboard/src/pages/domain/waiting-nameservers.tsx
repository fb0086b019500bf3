// Callout about a change of name servers that waits until the new ones serve the domain, with a
// button that cancels it.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { cancelWaitingNameservers, getWaitingNameservers } from 'sdk'
import { Button } from '../../components/button.tsx'
import { Callout } from '../../components/callout.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { answerOf } from '../../lib/api.ts'
import { formatDay } from '../../lib/format.ts'
import { showToast } from '../../lib/toasts.ts'
import { preflightTexts as texts } from '../../messages/dns/preflight-texts.ts'

export const waitingKey = (domain: string) => ['waiting-nameservers', domain] as const

export function WaitingNameservers({ domain }: { domain: string }) {
  const queries = useQueryClient()
  const queryKey = waitingKey(domain)
  const path = { domain }
  const { data } = useQuery({
    queryKey,
    queryFn: () => answerOf(getWaitingNameservers({ path })),
  })
  const cancel = useMutation({
    mutationFn: () => answerOf(cancelWaitingNameservers({ path })),
    onSuccess: (answer) => {
      showToast({ title: texts.canceled(domain) })
      queries.setQueryData(queryKey, answer)
    },
  })
  const waiting = data?.waiting
  if (!waiting) return null
  const { nameservers, expires_at } = waiting
  return (
    <Callout title={texts.waiting}>
      <p className="break-words">
        {texts.waitingText(nameservers.join(', '), formatDay(expires_at))}
      </p>
      {cancel.isError && <ErrorNotice error={cancel.error} />}
      <Button size="sm" className="mt-2" busy={cancel.isPending} onClick={() => cancel.mutate()}>
        {texts.cancel}
      </Button>
    </Callout>
  )
}
