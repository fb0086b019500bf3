// Templates of DNS records as data: the records that usual mail and site hosts ask for, each from a
// page of the host, with the day on which that was read. Hosts without such a page are left out.

/** A record of a template, in whose value `{name}` stands for a parameter. */
export type TemplateRecord = {
  host: string
  type: string
  values: readonly string[]
  /** The types at the same host that would lead elsewhere. */
  against?: readonly string[]
}
type Parameter = {
  name: string
  description: string
  example: string
  /** The suffix that is often pasted with the value: "octocat.github.io". */
  suffix: string
}
export type Template = {
  id: string
  title: string
  for: 'mail' | 'site'
  does: string
  /** The step that is left to the owner. */
  beside: string | null
  parameters: readonly Parameter[]
  records: readonly TemplateRecord[]
  sources: readonly string[]
  checked_at: string
}

const checked_at = '2026-11-28'
const addressTypes = ['A', 'AAAA', 'HTTPS']
const atSite = { against: addressTypes } as const

const named = (name: string, suffix: string, more: Pick<Parameter, 'description' | 'example'>) => {
  return [{ name, suffix, ...more }]
}

export const templateIds = [
  ...(['no-mail', 'microsoft-365', 'proton-mail', 'github-pages'] as const),
  ...(['netlify', 'vercel', 'cloudflare-pages'] as const),
] as const
type TemplateId = (typeof templateIds)[number]

export const templates: readonly (Template & { id: TemplateId })[] = [
  {
    id: 'no-mail',
    title: 'No mail',
    for: 'mail',
    does: 'Says that the domain neither takes nor sends mail, so that forged mail is refused.',
    beside: null,
    parameters: [],
    records: [
      { host: '@', type: 'MX', values: ['0 .'] },
      { host: '@', type: 'TXT', values: ['"v=spf1 -all"'] },
      { host: '_dmarc', type: 'TXT', values: ['"v=DMARC1; p=reject"'] },
    ],
    sources: [
      'https://www.rfc-editor.org/rfc/rfc7505',
      'https://www.rfc-editor.org/rfc/rfc7208',
      'https://www.rfc-editor.org/rfc/rfc7489',
    ],
    checked_at,
  },
  {
    id: 'microsoft-365',
    title: 'Microsoft 365 (mail)',
    for: 'mail',
    does: 'Mail by Exchange Online, found by Outlook, with its servers as the only senders.',
    beside: 'Its setup shows a TXT record that proves the domain, and the CNAMEs of DKIM.',
    parameters: named('mx_token', '.mail.protection.outlook.com', {
      description: 'The first label of the MX record that the admin center shows.',
      example: 'contoso-com',
    }),
    records: [
      { host: '@', type: 'MX', values: ['0 {mx_token}.mail.protection.outlook.com.'] },
      { host: '@', type: 'TXT', values: ['"v=spf1 include:spf.protection.outlook.com -all"'] },
      { host: 'autodiscover', type: 'CNAME', values: ['autodiscover.outlook.com.'] },
    ],
    sources: [
      'https://github.com/MicrosoftDocs/microsoft-365-docs/blob/public/microsoft-365/enterprise/' +
        'external-domain-name-system-records.md',
    ],
    checked_at,
  },
  {
    id: 'proton-mail',
    title: 'Proton Mail',
    for: 'mail',
    does: 'Mail by Proton, with its servers as senders.',
    beside: 'Its settings show a TXT record that proves the domain, and three CNAMEs of DKIM.',
    parameters: [],
    records: [
      {
        host: '@',
        type: 'MX',
        values: ['10 mail.protonmail.ch.', '20 mailsec.protonmail.ch.'],
      },
      { host: '@', type: 'TXT', values: ['"v=spf1 include:_spf.protonmail.ch ~all"'] },
    ],
    sources: [
      'https://github.com/ProtonMail/WebClients/tree/main/packages/components/containers/domains',
      'https://proton.me/support/custom-domain',
    ],
    checked_at,
  },
  {
    id: 'github-pages',
    title: 'GitHub Pages',
    for: 'site',
    does: 'The domain and www lead to a site on GitHub Pages.',
    beside: 'The custom domain is set in the repository first, so that no other user can take it.',
    parameters: named('user', '.github.io', {
      description: 'The user or organization that has the site.',
      example: 'octocat',
    }),
    records: [
      {
        host: '@',
        type: 'A',
        values: ['108', '109', '110', '111'].map((part) => `185.199.${part}.153`),
        ...atSite,
      },
      {
        host: '@',
        type: 'AAAA',
        values: ['8000', '8001', '8002', '8003'].map((part) => `2606:50c0:${part}::153`),
      },
      { host: 'www', type: 'CNAME', values: ['{user}.github.io.'] },
    ],
    sources: [
      'https://docs.github.com/en/pages/configuring-a-custom-domain-for-your-github-pages-site/' +
        'managing-a-custom-domain-for-your-github-pages-site',
    ],
    checked_at,
  },
  {
    id: 'netlify',
    title: 'Netlify',
    for: 'site',
    does: 'The domain and www lead to a site on Netlify.',
    beside: 'The domain is added to the site there, with www as its primary domain.',
    parameters: named('site', '.netlify.app', {
      description: 'The name of the site.',
      example: 'brave-curie-671954',
    }),
    records: [
      { host: '@', type: 'A', values: ['75.2.60.5'], ...atSite },
      { host: 'www', type: 'CNAME', values: ['{site}.netlify.app.'] },
    ],
    sources: [
      'https://answers.netlify.com/t/' +
        'support-guide-minimizing-impact-of-load-balancer-not-working/34888',
      'https://www.netlify.com/blog/2020/03/26/' +
        'how-to-set-up-netlify-dns-custom-domains-cname-a-records',
    ],
    checked_at,
  },
  {
    id: 'vercel',
    title: 'Vercel',
    for: 'site',
    does: 'The domain and www lead to a project on Vercel.',
    beside:
      'The domain is added to the project there. Where that shows other values, they are right.',
    parameters: [],
    records: [
      { host: '@', type: 'A', values: ['76.76.21.21'], ...atSite },
      { host: 'www', type: 'CNAME', values: ['cname.vercel-dns-0.com.'] },
    ],
    sources: ['https://vercel.com/docs/domains/set-up-custom-domain'],
    checked_at,
  },
  {
    id: 'cloudflare-pages',
    title: 'Cloudflare Pages (www)',
    for: 'site',
    does: 'www leads to a project on Cloudflare Pages.',
    beside:
      'The custom domain is added to the project there first. The domain itself works only on ' +
      'the name servers of Cloudflare.',
    parameters: named('project', '.pages.dev', {
      description: 'The name of the project.',
      example: 'my-site',
    }),
    records: [{ host: 'www', type: 'CNAME', values: ['{project}.pages.dev.'] }],
    sources: ['https://developers.cloudflare.com/pages/configuration/custom-domains/'],
    checked_at,
  },
]
