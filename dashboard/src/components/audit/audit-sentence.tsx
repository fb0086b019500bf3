// Entry of the audit log as a sentence: actor, verb, object.
import type { AuditLogResponse } from 'sdk'
import { actionOf, actorOf, objectOf } from './audit-entries.ts'

export function AuditSentence({ entry }: { entry: AuditLogResponse }) {
  const object = objectOf(entry)
  return (
    <span className="block break-words">
      <span className="font-medium">{actorOf(entry)}</span> {actionOf(entry)}
      {object && (
        <>
          {' '}
          <span className="font-medium">{object}</span>
        </>
      )}
    </span>
  )
}
