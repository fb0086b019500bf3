// Dialog before an undo: the sets that it would change, and the sets that somebody has changed
// since.
import { useQuery } from '@tanstack/react-query'
import type { DnsChange, DnsRevertConflict } from 'sdk'
import { Button } from '../../../components/button.tsx'
import { Callout } from '../../../components/callout.tsx'
import { ErrorNotice } from '../../../components/notice.tsx'
import { Dialog } from '../../../components/popups/dialog.tsx'
import { Skeleton } from '../../../components/skeleton.tsx'
import { answerOf } from '../../../lib/api.ts'
import { sendUndo, setName, useRecordChange } from '../../../lib/dns/record-queries.ts'
import { confirmed } from '../../../lib/sign-in/confirmed.ts'
import { common } from '../../../messages/common-texts.ts'
import { dnsHistoryTexts as texts } from '../../../messages/dns/history-texts.ts'
import { recordTexts } from '../../../messages/dns/record-texts.ts'
import { RecordDifference } from './record-difference.tsx'
import { RecordWarnings } from './record-warnings.tsx'

type Props = { domain: string; change: DnsChange; onClose: () => void }

export default function UndoDialog({ domain, change, onClose }: Props) {
  const undone = { domain, change_id: change.id }
  const preview = useQuery({
    queryKey: ['dns-undo', domain, change.id],
    gcTime: 0,
    queryFn: () => confirmed(() => answerOf(sendUndo(undone, true))),
  })
  const undo = useRecordChange(domain)
  const { data } = preview
  const apply = () =>
    undo.mutate(
      { send: () => sendUndo(undone, false), done: () => recordTexts.done.undone },
      { onSuccess: onClose },
    )
  return (
    <Dialog open wide onClose={onClose} title={texts.undoTitle} description={texts.undoText}>
      {preview.isPending && <Skeleton />}
      {preview.isError && (
        <ErrorNotice error={preview.error} onRetry={() => void preview.refetch()} />
      )}
      {data && data.diff.length === 0 && <p>{texts.nothingLeft}</p>}
      {data && <RecordDifference diff={data.diff} />}
      {data && <Conflicts conflicts={data.conflicts} />}
      {data && <RecordWarnings answer={data} />}
      {undo.isError && <ErrorNotice error={undo.error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button
          look="primary"
          busy={undo.isPending}
          disabled={!data || data.diff.length === 0}
          onClick={apply}
        >
          {texts.undo}
        </Button>
      </div>
    </Dialog>
  )
}

function Conflicts({ conflicts }: { conflicts: readonly DnsRevertConflict[] }) {
  if (conflicts.length === 0) return null
  return (
    <Callout tone="warn" title={texts.conflicts}>
      <ul>
        {conflicts.map((one) => (
          <li key={setName(one)} className="break-words">
            {texts.reasons[one.reason](setName(one))}
          </li>
        ))}
      </ul>
    </Callout>
  )
}
