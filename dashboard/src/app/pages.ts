// Table of pages: path, place in the navigation, and the chunk that is loaded when it is opened. A
// new page is a line here.
import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import type { IconName } from '../components/icon.tsx'
import { type Route, routes } from '../lib/routes.ts'
import { accountTexts } from '../messages/account-texts.ts'
import { apiKeyTexts } from '../messages/api-keys.ts'
import { auditTexts } from '../messages/audit-log.ts'
import { balanceTexts } from '../messages/balance.ts'
import { buyTexts } from '../messages/buy.ts'
import { common } from '../messages/common.ts'
import { connectTexts } from '../messages/connect.ts'
import { connectedAppTexts } from '../messages/connected-apps.ts'
import { domainTexts } from '../messages/domains.ts'
import { homeTexts } from '../messages/home.ts'

export type Page = {
  path: Route
  /** In the navigation and the command palette; null: reached from another page. */
  nav: { label: string; icon: IconName } | null
  component: LazyExoticComponent<ComponentType>
}

/**
 * The pages of a logged-in user. The first four in the navigation are in a phone's bottom bar, the
 * others behind its "More".
 */
export const pages: readonly Page[] = [
  {
    path: routes.home,
    nav: { label: homeTexts.title, icon: 'home' },
    component: lazy(() => import('../pages/home/home.tsx')),
  },
  {
    path: routes.domains,
    nav: { label: domainTexts.title, icon: 'globe' },
    component: lazy(() => import('../pages/domains.tsx')),
  },
  {
    path: routes.transferIn,
    nav: null,
    component: lazy(() => import('../pages/transfer-in.tsx')),
  },
  {
    path: routes.domain,
    nav: null,
    component: lazy(() => import('../pages/domain.tsx')),
  },
  {
    path: routes.buy,
    nav: { label: buyTexts.title, icon: 'cart' },
    component: lazy(() => import('../pages/buy/buy.tsx')),
  },
  {
    path: routes.balance,
    nav: { label: balanceTexts.title, icon: 'wallet' },
    component: lazy(() => import('../pages/balance/balance.tsx')),
  },
  {
    path: routes.contacts,
    nav: { label: common.contacts, icon: 'contact' },
    component: lazy(() => import('../pages/contacts/contacts.tsx')),
  },
  {
    path: routes.auditLog,
    nav: { label: auditTexts.title, icon: 'history' },
    component: lazy(() => import('../pages/audit-log/audit-log.tsx')),
  },
  {
    path: routes.connect,
    nav: { label: connectTexts.title, icon: 'plug' },
    component: lazy(() => import('../pages/connect/connect.tsx')),
  },
  {
    path: routes.connectedApps,
    nav: { label: connectedAppTexts.title, icon: 'apps' },
    component: lazy(() => import('../pages/connected-apps.tsx')),
  },
  {
    path: routes.apiKeys,
    nav: { label: apiKeyTexts.title, icon: 'key' },
    component: lazy(() => import('../pages/api-keys/api-keys.tsx')),
  },
  {
    path: routes.account,
    nav: { label: accountTexts.title, icon: 'user' },
    component: lazy(() => import('../pages/account/account.tsx')),
  },
  {
    path: routes.security,
    nav: null,
    component: lazy(() => import('../pages/account/security.tsx')),
  },
  {
    path: routes.verifyEmail,
    nav: null,
    component: lazy(() => import('../pages/account/verify-email.tsx')),
  },
]
