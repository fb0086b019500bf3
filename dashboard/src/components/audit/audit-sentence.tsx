// Entry of the audit log as a sentence: actor, verb, object. The name of an agent is the one that
// it gave itself, and has a frame, as it could be "You" (decision 21).
import type { AuditLogResponse } from 'sdk'
import { actionOf, actorOf, isAgent, objectOf } from './audit-entries.ts'

export function AuditSentence({ entry }: { entry: AuditLogResponse }) {
  const object = objectOf(entry)
  const frame = isAgent(entry) ? 'rounded border border-dashed border-edge px-1' : ''
  return (
    <span className="block break-words">
      <bdi className={`font-medium ${frame}`}>{actorOf(entry)}</bdi> {actionOf(entry)}
      {object && (
        <>
          {' '}
          <span className="font-medium">{object}</span>
        </>
      )}
    </span>
  )
}
