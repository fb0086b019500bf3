// Errors of requests: the cause, the next step and the request id, with a retry where it may help.
import { useFailureWords } from '../lib/words/failure-words.ts'
import { common } from '../messages/common-texts.ts'
import { Button } from './button.tsx'
import { alertPath, Outline } from './icons/outline.tsx'

/** `onRetry` is for a read, which is also repeated by itself while the service is away. */
export function ErrorNotice({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { message, hint, request_id } = useFailureWords(error, { isRead: onRetry !== undefined })
  return (
    <div role="alert" className="flex gap-3 rounded-lg bg-bad-soft px-4 py-3">
      <Outline path={alertPath} className="mt-0.5 size-4 text-bad" />
      <div className="min-w-0">
        <p className="font-medium text-bad">{message}</p>
        {hint && <p className="text-ink">{hint}</p>}
        {request_id && (
          <p className="mt-1 text-xs break-all text-muted">
            {common.requestId} <code className="font-mono">{request_id}</code>
          </p>
        )}
        {onRetry && (
          <Button size="sm" className="mt-2" onClick={onRetry}>
            {common.retry}
          </Button>
        )}
      </div>
    </div>
  )
}
