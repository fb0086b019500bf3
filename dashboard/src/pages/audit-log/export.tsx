// Download of the audit log as CSV: all entries that match the filters, not just those in view.
import { useState } from 'react'
import { type AuditLogResponse, listAuditLogs } from 'sdk'
import { actionOf, actorOf } from '../../components/audit/audit-entries.ts'
import { Button } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { useAccount } from '../../lib/account.ts'
import { answerOf } from '../../lib/api.ts'
import { csvOf, saveCsv } from '../../lib/csv.ts'
import { toUnicode } from '../../lib/domains/idn.ts'
import { showToast } from '../../lib/toasts.ts'
import { messageOf } from '../../lib/words/failure-words.ts'
import { auditTexts as texts } from '../../messages/audit/audit-texts.ts'
import { type Filters, queryOf } from './filters.ts'

const page_size = 500
const columns: Readonly<Record<string, (entry: AuditLogResponse) => string>> = {
  created_at: ({ created_at }) => created_at,
  actor: actorOf,
  sentence: actionOf,
  target: ({ target }) => target ?? '',
  target_unicode: ({ target, target_type }) =>
    target_type === 'domain' ? toUnicode(target ?? '') : '',
  result: ({ result }) => result,
  error_code: ({ error_code }) => error_code ?? '',
  action: ({ action }) => action,
  entry_point: ({ entry_point }) => entry_point,
  actor_type: ({ actor_type }) => actor_type,
  actor_label: ({ actor_label }) => actor_label ?? '',
  agent_identifier: ({ agent_identifier }) => agent_identifier,
  api_key_id: ({ api_key_id }) => String(api_key_id ?? ''),
  target_type: ({ target_type }) => target_type ?? '',
  status_code: ({ status_code }) => String(status_code ?? ''),
  id: ({ id }) => String(id),
  metadata: ({ metadata }) => JSON.stringify(metadata),
}

async function readAll(customer_id: string, filters: Filters): Promise<AuditLogResponse[]> {
  const all: AuditLogResponse[] = []
  const query = queryOf(filters, page_size)
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { audit_logs: AuditLogResponse[]; next_cursor: string | null } = await answerOf(
      listAuditLogs({ path: { customer_id }, query: { ...query, ...(cursor && { cursor }) } }),
    )
    all.push(...page.audit_logs)
    cursor = page.next_cursor
  }
  return all
}

export function ExportButton({ filters }: { filters: Filters }) {
  const { id } = useAccount()
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const entries = await readAll(id, filters)
      const rows = entries.map((entry) => Object.values(columns).map((cellOf) => cellOf(entry)))
      saveCsv('audit-log.csv', csvOf(Object.keys(columns), rows))
    } catch (error) {
      const description = messageOf(error)
      showToast({ title: texts.exportFailed, description })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button busy={isBusy} onClick={() => void save()}>
      <Icon name="download" />
      {isBusy ? texts.exporting : texts.export}
    </Button>
  )
}
