// Emails to an owner about TSIG keys. Pure.
import type { DomainName } from '../../../../kit/random.ts'
import { button, type EmailMessage, words } from '../../../mail/index.ts'

type Created = {
  domain: DomainName
  key: {
    id: string
    name: string
    hosts: readonly string[] | null
    types: readonly string[] | null
  }
  /** The page of the domain. */
  page: string
}

/** Reports that a secret was given out that can change records of a domain. */
export function tsigKeyCreatedEmail({ domain, key, page }: Created): EmailMessage {
  return {
    kind: 'tsig_key_created',
    dedupe_key: `tsig_key_created:${key.id}`,
    subject: words`A key for DNS updates of ${domain} was created`,
    happened: [
      words`A program that has the TSIG key ${key.name} can change DNS records of ${domain}.`,
      words`Hosts: ${key.hosts?.join(', ') ?? 'all'}. Types: ${key.types?.join(', ') ?? 'all'}.`,
    ],
    todo: [
      words`If you or an app of yours created it, you do not need to do anything.`,
      words`If not, delete it, and revoke the API key that created it.`,
      button(words`Open ${domain}`, page),
    ],
  }
}
