// The notification of a request that waits, pure: no more than its mail says, and no link, since
// the page makes its own link from the id. It may be read on a locked screen, so the price is not
// in it.
import { oneLine } from '../../mail/index.ts'
import type { Approval } from '../approval.ts'
import { requestTitle } from '../emails.ts'

/** Read by the service worker of the dashboard: dashboard/src/push/worker.ts. */
export function notificationText(approval: Approval): string {
  return JSON.stringify({
    title: oneLine(requestTitle(approval).toString()),
    body: 'Open the request. Nothing happens until you approve it there.',
    approval: approval.id,
  })
}
