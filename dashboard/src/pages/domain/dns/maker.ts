// The person or program that made a change of records. Programs choose their names themselves.
import type { DnsChange } from 'sdk'
import { dnsHistoryTexts as texts } from '../../../messages/dns/history-texts.ts'

export function makerOf({ made_by: { kind, label } }: Pick<DnsChange, 'made_by'>): string {
  switch (kind) {
    case 'customer':
      return texts.makers.you
    case 'api_key':
      return texts.byKey(label)
    case 'oauth_client':
      return texts.byApp(label)
    default:
      return texts.makers.service
  }
}
