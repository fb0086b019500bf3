// Shell of the operators' pages: the log-in, or navigation, session menu and the page. It is
// separate from the owners' shell: its session is another one, and no link joins the two.
import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import type { OperatorSession } from 'sdk'
import { Redirect, Route, Switch, useLocation, useSearchParams } from 'wouter'
import { Icon } from '../../components/icon.tsx'
import { NoSession } from '../../components/no-session.tsx'
import { PartPlace } from '../../components/part-place.tsx'
import { Menu, MenuChoices, MenuItem, MenuSeparator } from '../../components/popups/menu.tsx'
import { PopupContainer } from '../../components/popups/popups.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { customerPath, operatorRoutes } from '../../lib/operator/operator-routes.ts'
import {
  endOperatorSession,
  noteOperatorLoggedOut,
  readFirstOperatorSession,
  readOperatorSession,
  useOperatorSession,
} from '../../lib/operator/operator-session.ts'
import { openQueries } from '../../lib/queries.ts'
import { applyTheme, themes, useTheme } from '../../lib/theme.ts'
import { common } from '../../messages/common-texts.ts'
import { operatorTexts as texts } from '../../messages/operator/operator-texts.ts'
import NotFoundPage from '../../pages/not-found.tsx'
import { OperatorLogIn } from '../../pages/operator/operator-log-in.tsx'
import { ErrorBoundary } from '../error-boundary.tsx'
import { BottomBar, Logo, Sidebar } from '../nav.tsx'
import { SkipLink, Toasts } from '../shell-parts.tsx'
import { operatorPages, operatorPlaces } from './operator-pages.ts'
import '../shell.css'

export default function OperatorShell() {
  useEffect(() => void readFirstOperatorSession(), [])
  const session = useOperatorSession()
  switch (session.state) {
    case 'unknown':
      return <Skeleton />
    case 'failed':
      return <NoSession error={session.error} read={readOperatorSession} />
    case 'logged_out':
      return <OperatorLogIn />
    case 'logged_in':
      return <OperatorPages operator={session.operator} />
  }
}

function OperatorPages({ operator }: { operator: OperatorSession }) {
  const popups = useRef<HTMLDivElement>(null)
  const [path] = useLocation()
  const brand = { path: operatorRoutes.home, label: texts.product }
  return (
    <Providers popups={popups}>
      <SkipLink />
      <div className="flex min-h-[calc(100dvh-var(--band))]">
        <Sidebar places={operatorPlaces} brand={brand} />
        <div className="flex min-w-0 grow flex-col">
          <header className="sticky top-(--band) z-20 flex h-14 items-center gap-3 border-b border-line bg-canvas px-4 md:px-8">
            <span className="md:hidden">
              <Logo brand={brand} />
            </span>
            <p className="min-w-0 grow truncate text-right text-sm text-muted">
              {texts.session(operator.name)}
            </p>
            <SessionMenu />
          </header>
          <main
            id="content"
            tabIndex={-1}
            className="mx-auto w-full max-w-6xl grow px-4 pt-6 pb-24 outline-none md:px-8 md:pt-8 md:pb-12"
          >
            <ErrorBoundary key={path}>
              <PartPlace isPage skeleton={<Skeleton lines={6} />}>
                <Switch>
                  {operatorPages.map((page) => (
                    <Route key={page.path} path={page.path} component={page.component} />
                  ))}
                  <Route path={operatorRoutes.accounts} component={EarlierAccount} />
                  <Route path={operatorRoutes.home}>
                    <Redirect to={operatorRoutes.overview} replace />
                  </Route>
                  <Route component={NotFoundPage} />
                </Switch>
              </PartPlace>
            </ErrorBoundary>
            <div ref={popups} />
            <Toasts />
          </main>
        </div>
      </div>
      <BottomBar places={operatorPlaces} />
    </Providers>
  )
}

function EarlierAccount() {
  const [search] = useSearchParams()
  const id = search.get('id')?.trim()
  return <Redirect to={id ? customerPath(id) : operatorRoutes.customers} replace />
}

type Around = { popups: RefObject<HTMLDivElement | null>; children: ReactNode }

/** The queries belong to one session: a log-out ends them with the shell. */
function Providers({ popups, children }: Around) {
  const [queries] = useState(() => openQueries(noteOperatorLoggedOut))
  return (
    <QueryClientProvider client={queries}>
      <CSPProvider disableStyleElements>
        <PopupContainer value={popups}>{children}</PopupContainer>
      </CSPProvider>
    </QueryClientProvider>
  )
}

const options = themes.map((value) => ({ value, label: common.themes[value] }))

function SessionMenu() {
  const theme = useTheme()
  return (
    <Menu label={texts.menu} className={menuClass} trigger={<Icon name="user" />}>
      <MenuChoices label={common.theme} value={theme} options={options} onChange={applyTheme} />
      <MenuSeparator />
      <MenuItem onSelect={() => void endOperatorSession()}>{common.logOut}</MenuItem>
    </Menu>
  )
}

const menuClass =
  'grid size-9 shrink-0 place-items-center rounded-full border border-line bg-surface ' +
  'text-muted shadow-card hover:text-ink'
