// The status of a customer's account.
import { customerTexts } from '../../messages/operator/customer-texts.ts'
import { Badge, type Tone } from '../badge.tsx'

const tones: Readonly<Record<string, Tone>> = {
  active: 'good',
  suspended: 'warn',
  closed: 'neutral',
}
const words: Readonly<Record<string, string>> = customerTexts.statuses

export function StatusBadge({ status }: { status: string }) {
  return <Badge tone={tones[status] ?? 'neutral'}>{words[status] ?? status}</Badge>
}
