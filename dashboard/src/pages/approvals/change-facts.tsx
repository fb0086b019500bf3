// A request that costs nothing, in large type: the fact that changes, its old and new value, and a
// warning.
import type { ApprovalResponse, DomainStatusResponse } from 'sdk'
import { Callout } from '../../components/callout.tsx'
import { Icon } from '../../components/icon.tsx'
import { useDomain } from '../../lib/domains/domain-queries.ts'
import { type ChangeWords, changeTexts as texts } from '../../messages/approvals/change-texts.ts'
import { recordFacts } from './record-facts.ts'

type Props = { approval: ApprovalResponse }
type Shown = ChangeWords & {
  /** The present value, read from the domain. */
  now: (domain: DomainStatusResponse) => string
}

export function ChangeFacts({ approval }: Props) {
  const changes = changesOf(approval)
  return approval.state === 'pending' ? (
    <Pending approval={approval} changes={changes} />
  ) : (
    <Changes changes={changes.map((one) => ({ ...one, from: null }))} />
  )
}

function Pending({ approval, changes }: Props & { changes: readonly Shown[] }) {
  const { data } = useDomain(approval.domain)
  const read = changes.map((one) => ({
    ...one,
    from: one.from ?? (data === undefined ? texts.unknown : one.now(data)),
  }))
  return (
    <>
      <Changes changes={read} />
      {[...new Set(changes.map(({ warning }) => warning))].map((warning) => (
        <Callout key={warning} tone="warn" title={warning}>
          <p>{texts.free}</p>
        </Callout>
      ))}
    </>
  )
}

function Changes({ changes }: { changes: readonly ChangeWords[] }) {
  return (
    <dl aria-label={texts.label} className="flex flex-col gap-3">
      {changes.map(({ of, from, to }) => (
        <div key={of}>
          <dt className="text-sm break-all text-muted">{of}</dt>
          <dd className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xl font-semibold">
            {from !== null && from !== '' && (
              <>
                <span className="min-w-0 break-words whitespace-pre-line text-muted">{from}</span>
                <Icon name="arrow" className="size-5" />
                <span className="sr-only">{texts.to}</span>
              </>
            )}
            <span className="min-w-0 break-words whitespace-pre-line">{to}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

const isOn = (on: boolean) => (on ? texts.on : texts.off)
const lines = (names: readonly unknown[]) => names.map(String).join('\n')

function changesOf(approval: ApprovalResponse): Shown[] {
  const { action, request } = approval
  switch (action) {
    case 'unlock_domain':
      return [{ ...texts.unlock, now: ({ locked }) => isOn(locked) }]
    case 'approve_transfer':
      return [{ ...texts.away, to: awayTo(request), now: () => '' }]
    case 'get_transfer_auth_code':
      return [{ ...texts.code, now: () => '' }]
    case 'regenerate_transfer_auth_code':
      return [{ ...texts.newCode, now: () => '' }]
    default:
      return recordFacts(request)?.map((one) => ({ ...one, now: () => '' })) ?? updatesOf(request)
  }
}

function awayTo({ requested_by }: ApprovalResponse['request']): string {
  return typeof requested_by === 'string' ? `${texts.away.to} (${requested_by})` : texts.away.to
}

function updatesOf(request: ApprovalResponse['request']): Shown[] {
  const { nameservers, auto_renew, ...others } = request
  const renewal = auto_renew === true ? texts.renewalOn : texts.renewalOff
  const unknown = Object.entries(others).filter(([key, value]) => value != null && key !== 'glue')
  return [
    ...(Array.isArray(nameservers)
      ? [
          {
            ...texts.nameservers,
            to: lines(nameservers),
            now: (domain: DomainStatusResponse) => lines(domain.nameservers),
          },
        ]
      : []),
    ...(typeof auto_renew === 'boolean'
      ? [{ ...renewal, now: (domain: DomainStatusResponse) => isOn(domain.auto_renew) }]
      : []),
    ...unknown.map(([key, value]) => ({
      ...texts.other,
      of: key.replaceAll('_', ' '),
      to: typeof value === 'string' ? value : JSON.stringify(value),
      now: () => '',
    })),
  ]
}
