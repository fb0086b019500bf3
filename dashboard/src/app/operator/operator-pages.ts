// Table of the operators' pages: path, place in the navigation, and the chunk that is loaded when
// it is opened. A new page is a line here.
import type { ComponentType, LazyExoticComponent } from 'react'
import type { IconName } from '../../components/icon.tsx'
import { operatorRoutes } from '../../lib/operator/operator-routes.ts'
import { lazyPart } from '../../lib/parts/lazy-part.ts'
import { operatorTexts } from '../../messages/operator/operator-texts.ts'

type OperatorPage = {
  path: string
  /** Its place in the navigation, or null if it is reached from another page. */
  nav: { label: string; icon: IconName; short?: string } | null
  component: LazyExoticComponent<ComponentType>
}

const texts = operatorTexts.pages
const SupportPage = lazyPart(() => import('../../pages/operator/operator-support.tsx'))

/** The first four pages of the navigation are in the bottom bar of a phone. */
export const operatorPages: readonly OperatorPage[] = [
  {
    path: operatorRoutes.overview,
    nav: { label: texts.overview, icon: 'home' },
    component: lazyPart(() => import('../../pages/operator/operator-overview.tsx')),
  },
  {
    path: operatorRoutes.orders,
    nav: { label: texts.orders, icon: 'cart', short: texts.ordersShort },
    component: lazyPart(() => import('../../pages/operator/parked-orders.tsx')),
  },
  {
    path: operatorRoutes.customers,
    nav: { label: texts.customers, icon: 'contact', short: texts.customers },
    component: lazyPart(() => import('../../pages/operator/customers.tsx')),
  },
  {
    path: operatorRoutes.customer,
    nav: null,
    component: lazyPart(() => import('../../pages/operator/customer-profile.tsx')),
  },
  {
    path: operatorRoutes.support,
    nav: { label: texts.support, icon: 'chat' },
    component: SupportPage,
  },
  {
    path: operatorRoutes.thread,
    nav: null,
    component: SupportPage,
  },
  {
    path: operatorRoutes.payments,
    nav: { label: texts.payments, icon: 'wallet', short: texts.paymentsShort },
    component: lazyPart(() => import('../../pages/operator/parked-payments.tsx')),
  },
  {
    path: operatorRoutes.holds,
    nav: { label: texts.holds, icon: 'lock' },
    component: lazyPart(() => import('../../pages/operator/holds.tsx')),
  },
  {
    path: operatorRoutes.mails,
    nav: { label: texts.mails, icon: 'mail' },
    component: lazyPart(() => import('../../pages/operator/failed-mails.tsx')),
  },
  {
    path: operatorRoutes.tasks,
    nav: { label: texts.tasks, icon: 'alert' },
    component: lazyPart(() => import('../../pages/operator/dead-tasks.tsx')),
  },
  {
    path: operatorRoutes.deliveries,
    nav: { label: texts.deliveries, icon: 'send' },
    component: lazyPart(() => import('../../pages/operator/webhook-deliveries.tsx')),
  },
  {
    path: operatorRoutes.database,
    nav: { label: texts.database, icon: 'book', short: texts.database },
    component: lazyPart(() => import('../../pages/operator/database-tables.tsx')),
  },
  {
    path: operatorRoutes.table,
    nav: null,
    component: lazyPart(() => import('../../pages/operator/database-table.tsx')),
  },
  {
    path: operatorRoutes.keys,
    nav: { label: texts.keys, icon: 'key' },
    component: lazyPart(() => import('../../pages/operator/operator-keys.tsx')),
  },
]

export const operatorPlaces = operatorPages.flatMap(({ nav, path }) =>
  nav ? [{ ...nav, path }] : [],
)
