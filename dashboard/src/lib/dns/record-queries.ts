// Records of one domain and their changes, and the one mutation that changes them: it is repeated
// after a fresh log-in if the domain is protected, and a toast undoes it.
import {
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import {
  type ChangedDnsRecordsResponse,
  type DnsChange,
  type DnsRecords,
  listDnsChanges,
  listRecordSets,
  revertDnsChange,
} from 'sdk'
import { recordTexts } from '../../messages/dns/record-texts.ts'
import { ApiError, answerOf } from '../api.ts'
import { historyKey, recordsKey } from '../domains/domain-queries.ts'
import { confirmed } from '../sign-in/confirmed.ts'
import { showToast } from '../toasts.ts'
import { messageOf } from '../words/failure-words.ts'

const texts = recordTexts.done
const changesKey = (domain: string) => ['dns-changes', domain] as const

export type SetPlace = Pick<DnsRecords, 'host' | 'type'>

/** The name of a set on pages, which is its key, too, such as "www A". */
export const setName = ({ host, type }: SetPlace) => `${host} ${type}`

/** The sets that the owner made, as opposed to those that the service makes itself. */
export const ownOf = (sets: readonly DnsRecords[]) => sets.filter(({ managed }) => !managed)

export function useRecords(domain: string) {
  return useQuery({
    queryKey: recordsKey(domain),
    queryFn: () => answerOf(listRecordSets({ path: { domain } })),
  })
}

export function useChanges(domain: string) {
  return useInfiniteQuery({
    queryKey: changesKey(domain),
    initialPageParam: '',
    queryFn: ({ pageParam }) => {
      const query = pageParam === '' ? {} : { cursor: pageParam }
      return answerOf(listDnsChanges({ path: { domain }, query }))
    },
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
}

/** The last change of a set, or null while it is unknown. */
export function useLastChange(domain: string, place: SetPlace): DnsChange | null {
  const { data, isFetching } = useChanges(domain)
  if (isFetching) return null
  const changes = data?.pages.flatMap((page) => page.changes) ?? []
  const name = setName(place)
  return changes.find(({ diff }) => diff.some((one) => setName(one) === name)) ?? null
}

/** Whether a set was changed since the user read it. */
export function isChangedSince(error: unknown): boolean {
  return error instanceof ApiError && error.failure.code === 'precondition_failed'
}

type Answer = ChangedDnsRecordsResponse
type Change<One extends Answer> = {
  send: () => Parameters<typeof answerOf<One>>[0]
  /** The title of the toast, which is not shown after a dry run. */
  done: (answer: One) => string
}

export function useRecordChange<One extends Answer = Answer>(domain: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ send }: Change<One>) => confirmed(() => answerOf(send())),
    onSuccess: (answer, { done }) => {
      if (!answer.dry_run) showDone(queries, answer, done(answer))
    },
    // This also runs after a failure, since the shown records may be old, or the change may be
    // stored but not served yet.
    onSettled: (answer) => (answer?.dry_run ? undefined : readAgain(queries, domain)),
  })
}

export function readAgain(queries: QueryClient, domain: string) {
  return Promise.all(
    [recordsKey(domain), changesKey(domain), historyKey(domain)].map((queryKey) =>
      queries.invalidateQueries({ queryKey }),
    ),
  )
}

function showDone(queries: QueryClient, answer: Answer, title: string): void {
  const { change_id, domain } = answer
  if (change_id === null) {
    showToast({ title: texts.same, description: texts.sameText })
    return
  }
  const undo = () => void undoChange(queries, { domain, change_id })
  showToast({ title, description: servedWords(answer), undo })
}

function servedWords({ hosted, served, diff }: Answer): string {
  if (!hosted) return texts.notHosted
  const isServed = served?.every((one) => {
    const wanted = diff.find((other) => setName(other) === setName(one))?.after?.values ?? []
    return wanted.toSorted().join('\n') === one.values.toSorted().join('\n')
  })
  return isServed ? texts.served : texts.unserved
}

type Undone = { domain: string; change_id: string }

/** Undoes a change in both directions: removed records come back, and added ones go. */
export const sendUndo = ({ domain, change_id }: Undone, dry_run: boolean) =>
  revertDnsChange({ path: { domain, change_id }, body: { prune: true, dry_run } })

/** Runs from a toast, when the user may have left the page of the change. */
async function undoChange(queries: QueryClient, change: Undone): Promise<void> {
  try {
    const { conflicts } = await confirmed(() => answerOf(sendUndo(change, false)))
    const kept = conflicts.length
    const title = kept > 0 ? texts.kept(kept) : texts.undone
    showToast({ title })
  } catch (error) {
    showToast({ title: texts.notUndone, description: messageOf(error) })
  } finally {
    await readAgain(queries, change.domain)
  }
}
