// Sessions of the account: the list, with buttons that end one session or all others.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { endSession, listSessions, type SessionResponse } from 'sdk'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { answerOf } from '../../lib/api.ts'
import { formatAgo, formatMoment } from '../../lib/format.ts'
import { browserOf } from '../../lib/sign-in/user-agent.ts'
import { showToast } from '../../lib/toasts.ts'
import { securityTexts } from '../../messages/account-texts.ts'

const texts = securityTexts.sessions
export const sessionsKey = ['sessions'] as const

function nameOf({ agent }: SessionResponse): string {
  const known = browserOf(agent)
  return known ? texts.on(known.browser, known.system) : agent || texts.unknown
}

export function Sessions() {
  const queries = useQueryClient()
  const sessions = useQuery({
    queryKey: sessionsKey,
    queryFn: async () => (await answerOf(listSessions())).sessions,
  })
  const end = useMutation({
    mutationFn: async (ids: readonly number[]) => {
      for (const id of ids) await answerOf(endSession({ path: { id } }))
      return ids.length
    },
    onSuccess: (count) =>
      showToast({ title: count === 1 ? texts.ended : texts.endedOthers(count) }),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsKey }),
  })
  const others = sessions.data?.filter(({ current }) => !current).map(({ id }) => id) ?? []
  const endOthers = others.length > 1 && (
    <Button size="sm" busy={end.isPending} onClick={() => end.mutate(others)}>
      {texts.endOthers}
    </Button>
  )
  return (
    <Card title={texts.title} action={endOthers}>
      {sessions.isPending && <Skeleton lines={3} />}
      {sessions.isError && (
        <ErrorNotice error={sessions.error} onRetry={() => void sessions.refetch()} />
      )}
      {end.isError && <ErrorNotice error={end.error} />}
      <ul className="divide-y divide-line">
        {sessions.data?.map((session) => (
          <Session key={session.id} session={session} onEnd={() => end.mutate([session.id])} />
        ))}
      </ul>
    </Card>
  )
}

function Session({ session, onEnd }: { session: SessionResponse; onEnd: () => void }) {
  const { agent, address, current, last_used_at, created_at } = session
  const name = nameOf(session)
  return (
    <li className="flex items-center justify-between gap-4 px-5 py-3">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2">
          <span className="min-w-0 font-medium break-words" title={agent}>
            {name}
          </span>
          {current && <Badge tone="good">{texts.current}</Badge>}
        </p>
        <p className="text-sm text-muted">
          {address} · {texts.used(formatAgo(last_used_at))} ·{' '}
          {texts.loggedIn(formatMoment(created_at))}
        </p>
      </div>
      {!current && (
        <Button size="sm" aria-label={texts.endOf(name)} onClick={onEnd}>
          {texts.end}
        </Button>
      )}
    </li>
  )
}
