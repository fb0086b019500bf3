// Entry of the audit log as a sentence: actor, verb, object. Names that agents and apps chose for
// themselves have a frame, as such a name could be "You" (decision 21).
import type { AuditLogResponse } from 'sdk'
import { actionOf, actorOf, isAgent, shownObjectOf } from './audit-entries.ts'

const frame = 'rounded border border-dashed border-edge px-1'

export function AuditSentence({ entry }: { entry: AuditLogResponse }) {
  const object = shownObjectOf(entry)
  const isApp = entry.target_type === 'oauth_grant'
  return (
    <span className="block break-words">
      <bdi className={`font-medium ${isAgent(entry) ? frame : ''}`}>{actorOf(entry)}</bdi>{' '}
      {actionOf(entry)}
      {object && (
        <>
          {' '}
          <bdi className={`font-medium ${isApp ? frame : ''}`}>{object}</bdi>
        </>
      )}
    </span>
  )
}
