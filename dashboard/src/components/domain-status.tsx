// Status of a domain as a badge.
import type { DomainListEntry } from 'sdk'
import { domainTexts } from '../messages/domain-texts.ts'
import { Badge, type Tone } from './badge.tsx'

type Status = DomainListEntry['status']

const tones: Record<Status, Tone> = {
  pending: 'accent',
  active: 'good',
  expired: 'warn',
  redemption: 'bad',
  pending_delete: 'bad',
  transfer_pending: 'accent',
  transferred_away: 'neutral',
  failed: 'bad',
}

export function DomainStatusBadge({ status }: { status: Status }) {
  return <Badge tone={tones[status]}>{domainTexts.statuses[status]}</Badge>
}
