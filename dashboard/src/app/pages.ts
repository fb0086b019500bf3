// Table of pages: path, place in the navigation, and the chunk that is loaded when it is opened. A
// new page is a line here.
import type { ComponentType, LazyExoticComponent } from 'react'
import type { IconName } from '../components/icon.tsx'
import { topUpRoute } from '../lib/money/top-up-paths.ts'
import { lazyPart } from '../lib/parts/lazy-part.ts'
import { type Route, routes } from '../lib/routes.ts'
import { common } from '../messages/common-texts.ts'
import { pageNames } from '../messages/page-names.ts'

type Nav = {
  label: string
  icon: IconName
  /** A shorter name for the bottom bar of a phone. */
  short?: string
  /** The heading above the page; the first page has none. */
  group?: string
  /** Whether the page is in the bottom bar of a phone. The other pages are behind "More". */
  inBar?: true
  needsMailbox?: true
}

type Page = {
  path: Route
  /**
   * Its place in the navigation and the command palette, or null if it is reached from another
   * page.
   */
  nav: Nav | null
  component: LazyExoticComponent<ComponentType>
}

const { groups } = pageNames

/** The pages of a logged-in user; the pages of one group of the navigation follow each other. */
export const pages: readonly Page[] = [
  {
    path: routes.home,
    nav: { label: pageNames.home, icon: 'home', inBar: true },
    component: lazyPart(() => import('../pages/home/home.tsx')),
  },
  {
    path: routes.domains,
    nav: { label: pageNames.domains, icon: 'globe', group: groups.domains, inBar: true },
    component: lazyPart(() => import('../pages/domain-list/domain-list.tsx')),
  },
  {
    path: routes.transferIn,
    nav: null,
    component: lazyPart(() => import('../pages/transfer-in.tsx')),
  },
  {
    path: routes.domain,
    nav: null,
    component: lazyPart(() => import('../pages/domain/domain.tsx')),
  },
  {
    path: routes.dns,
    nav: null,
    component: lazyPart(() => import('../pages/domain/dns/dns.tsx')),
  },
  {
    path: routes.buy,
    nav: {
      label: pageNames.buy,
      icon: 'cart',
      short: common.buy,
      group: groups.domains,
      inBar: true,
    },
    component: lazyPart(() => import('../pages/buy/buy.tsx')),
  },
  {
    path: routes.contacts,
    nav: { label: common.contacts, icon: 'contact', group: groups.domains },
    component: lazyPart(() => import('../pages/contacts/contacts.tsx')),
  },
  {
    path: routes.balance,
    nav: { label: pageNames.balance, icon: 'wallet', group: groups.money, inBar: true },
    component: lazyPart(() => import('../pages/balance/balance.tsx')),
  },
  {
    path: topUpRoute,
    nav: null,
    component: lazyPart(() => import('../pages/top-up/top-up.tsx')),
  },
  {
    path: routes.invoices,
    nav: { label: pageNames.invoices, icon: 'receipt', group: groups.money },
    component: lazyPart(() => import('../pages/invoices.tsx')),
  },
  {
    path: routes.approvals,
    nav: { label: pageNames.approvals, icon: 'check', group: groups.agents },
    component: lazyPart(() => import('../pages/approvals/approvals.tsx')),
  },
  {
    path: routes.approval,
    nav: null,
    component: lazyPart(() => import('../pages/approvals/approvals.tsx')),
  },
  {
    path: routes.connect,
    nav: { label: pageNames.connect, icon: 'plug', group: groups.agents },
    component: lazyPart(() => import('../pages/connect/connect.tsx')),
  },
  {
    path: routes.connectedApps,
    nav: { label: pageNames.connectedApps, icon: 'apps', group: groups.agents },
    component: lazyPart(() => import('../pages/connected-apps.tsx')),
  },
  {
    path: routes.apiKeys,
    nav: { label: pageNames.apiKeys, icon: 'key', group: groups.agents },
    component: lazyPart(() => import('../pages/api-keys/api-keys.tsx')),
  },
  {
    path: routes.webhooks,
    nav: { label: pageNames.webhooks, icon: 'send', group: groups.agents },
    component: lazyPart(() => import('../pages/webhooks/webhooks.tsx')),
  },
  {
    path: routes.account,
    nav: { label: pageNames.account, icon: 'user', group: groups.account },
    component: lazyPart(() => import('../pages/account/account.tsx')),
  },
  {
    path: routes.auditLog,
    nav: { label: pageNames.auditLog, icon: 'history', group: groups.account },
    component: lazyPart(() => import('../pages/audit-log/audit-log.tsx')),
  },
  {
    path: routes.support,
    nav: { label: pageNames.support, icon: 'chat', group: groups.account },
    component: lazyPart(() => import('../pages/support/support.tsx')),
  },
  {
    path: routes.mailbox,
    nav: { label: pageNames.mailbox, icon: 'mail', needsMailbox: true, group: groups.account },
    component: lazyPart(() => import('../pages/mailbox.tsx')),
  },
  {
    path: routes.security,
    nav: null,
    component: lazyPart(() => import('../pages/account/security.tsx')),
  },
  {
    path: routes.yourData,
    nav: null,
    component: lazyPart(() => import('../pages/account/your-data.tsx')),
  },
  {
    path: routes.verifyEmail,
    nav: null,
    component: lazyPart(() => import('../pages/account/verify-email.tsx')),
  },
]

export type Place = Nav & { path: Route }

/** The pages of the navigation, with the mailbox if the service has one. */
export function placesOf({ hasMailbox }: { hasMailbox: boolean }): readonly Place[] {
  return pages.flatMap(({ nav, path }) =>
    nav && (hasMailbox || !nav.needsMailbox) ? [{ ...nav, path }] : [],
  )
}
