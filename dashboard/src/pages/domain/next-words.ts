// The next event of a domain's life, as a sentence.
import type { DomainStatusResponse } from 'sdk'
import { formatDay } from '../../lib/format.ts'
import { domainPageTexts } from '../../messages/domain-page-texts.ts'

const texts = domainPageTexts.next

export function nextWords(domain: DomainStatusResponse): string {
  const { status, expiry, auto_renew, next_actions, rgp_statuses, transfer } = domain
  const day = expiry === null ? '' : formatDay(expiry)
  switch (status) {
    case 'active':
      return auto_renew ? texts.renews(day) : texts.expires(day)
    case 'expired':
      return next_actions.some(({ type }) => type === 'renew') ? texts.expired(day) : texts.deleting
    case 'redemption':
      return rgp_statuses.includes('pendingRestore') ? texts.restoring : texts.redemption
    case 'transfer_pending':
      return transfer
        ? texts.transferOut(transfer.requested_by, formatDay(transfer.acts_at))
        : texts.transferIn
    case 'dry_run':
      return texts.pending
    default:
      return texts[status]
  }
}
