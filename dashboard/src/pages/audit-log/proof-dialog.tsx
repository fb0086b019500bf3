// Dialog that keeps a proof of the log: its signed head, and an export that can be verified
// offline.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type AuditExportPage, exportAuditLogs, readAuditHead } from 'sdk'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { Icon } from '../../components/icon.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { Dialog } from '../../components/popups/dialog.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useAccount } from '../../lib/account.ts'
import { answerOf } from '../../lib/api.ts'
import { saveFile } from '../../lib/csv.ts'
import { formatMoment } from '../../lib/format.ts'
import { showToast } from '../../lib/toasts.ts'
import { messageOf } from '../../lib/words/failure-words.ts'
import { auditTexts } from '../../messages/audit/audit-texts.ts'
import { auditProofTexts as texts } from '../../messages/audit/proof-texts.ts'

const page_size = 200
const file_name = 'audit-log.jsonl'

/** The export, with one page of the log in each line. */
async function readExport(customer_id: string): Promise<string> {
  const lines: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: AuditExportPage = await answerOf(
      exportAuditLogs({
        path: { customer_id },
        query: { limit: page_size, ...(cursor && { cursor }) },
      }),
    )
    lines.push(JSON.stringify(page))
    cursor = page.next_cursor
  }
  return `${lines.join('\n')}\n`
}

export function ProofButton() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Icon name="shield" />
        {texts.open}
      </Button>
      {isOpen && (
        <Dialog
          open
          wide
          onClose={() => setOpen(false)}
          title={texts.title}
          description={texts.text}
        >
          <SignedHead />
          <SaveExport />
        </Dialog>
      )}
    </>
  )
}

function SignedHead() {
  const { data, error, refetch } = useQuery({
    queryKey: ['audit-head'],
    queryFn: () => answerOf(readAuditHead()),
    staleTime: 0,
  })
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton lines={3} />
  const { number, block_hash, key_id, created_at } = data
  const save = () => {
    const file = new Blob([`${JSON.stringify(data, null, 2)}\n`], { type: 'application/json' })
    saveFile(`audit-head-${number}.json`, file)
  }
  return (
    <section aria-label={texts.head} className="rounded-lg border border-line p-4">
      <h3 className="font-medium">{texts.head}</h3>
      <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        <dt className="text-muted">{texts.block}</dt>
        <dd>
          {number} · {formatMoment(created_at)}
        </dd>
        <dt className="text-muted">{texts.hash}</dt>
        <dd className="font-mono text-xs leading-5 break-all">{block_hash}</dd>
        <dt className="text-muted">{texts.key}</dt>
        <dd className="font-mono text-xs leading-5 break-all">{key_id}</dd>
      </dl>
      <Button size="sm" className="mt-3" onClick={save}>
        {texts.saveHead}
      </Button>
    </section>
  )
}

function SaveExport() {
  const { id } = useAccount()
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const text = await readExport(id)
      saveFile(file_name, new Blob([text], { type: 'application/x-ndjson' }))
    } catch (error) {
      const description = messageOf(error)
      showToast({ title: auditTexts.exportFailed, description })
    } finally {
      setBusy(false)
    }
  }
  return (
    <section aria-label={texts.export} className="rounded-lg border border-line p-4">
      <h3 className="font-medium">{texts.export}</h3>
      <p className="mt-1 text-sm text-muted">{texts.exportText}</p>
      <Button size="sm" className="my-3" busy={isBusy} onClick={() => void save()}>
        {isBusy ? auditTexts.exporting : texts.saveExport}
      </Button>
      <CodeBlock label={texts.command} code={`npx ./audit-verifier ${file_name} --key KEY_ID`} />
    </section>
  )
}
