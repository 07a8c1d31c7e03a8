/** The help pages: contents on the left, one page next to it. */
import { Link } from '@tanstack/react-router';
import { Fragment, Suspense, useEffect } from 'react';
import { CodeText } from '../../ui/code-text.tsx';
import { helpPages, type HelpPage as Page } from '../../ui/help-pages.ts';
import { barePart } from '../../ui/lazy-part.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { accounts } from './accounts.ts';
import { diagnostics } from './diagnostics.ts';
import { elsewhere } from './elsewhere.ts';
import classes from './help.module.css';
import { plots } from './plots.ts';
import { statuses } from './statuses.ts';
import type { Topic } from './topic.ts';

const LanguageReference = barePart(() => import('./language-reference.tsx'), 'LanguageReference');
const ApiReference = barePart(() => import('./api-reference.tsx'), 'ApiReference');
const News = barePart(() => import('./news.tsx'), 'News');

const helpTitles: Readonly<Record<Page, string>> = {
  diagnostics: 'Diagnostics',
  plots: 'Plots',
  statuses: 'States of a run',
  elsewhere: 'Runs made elsewhere',
  accounts: 'Sign-in and teams',
  language: 'Stan functions',
  api: 'API',
  news: 'What is new',
};

const topicsOf: Readonly<Partial<Record<Page, readonly Topic[]>>> = {
  diagnostics,
  plots,
  statuses,
  elsewhere,
  accounts,
};

export interface HelpPageProps {
  readonly page: Page;
  /** The topic in the address, without `#`; empty for none. */
  readonly topic: string;
  /** Address of the server; empty for the page's own origin. */
  readonly server: string;
}

export function HelpPage({ page, topic, server }: HelpPageProps) {
  useEffect(() => {
    document.getElementById(topic)?.scrollIntoView?.();
  }, [topic]);
  const topics = topicsOf[page];
  return (
    <div className={classes.page}>
      <PageHead title={helpTitles[page]} />
      <div className={classes.columns}>
        <Contents page={page} />
        <div className={classes.body}>
          {topics !== undefined && <TopicList topics={topics} />}
          <Suspense fallback={<PageSkeleton />}>
            {page === 'language' && <LanguageReference />}
            {page === 'api' && <ApiReference server={server} />}
            {page === 'news' && <News />}
          </Suspense>
        </div>
      </div>
    </div>
  );
}

function Contents({ page }: { page: Page }) {
  return (
    <nav className={classes.contents} aria-label="Help">
      <ul>
        {helpPages.map((name) => (
          <li key={name}>
            <Link
              to="/help/$page"
              params={{ page: name }}
              aria-current={name === page ? 'page' : undefined}
            >
              {helpTitles[name]}
            </Link>
            {name === page && <Topics topics={topicsOf[name] ?? []} page={name} />}
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Topics({ topics, page }: { topics: readonly Topic[]; page: Page }) {
  if (topics.length === 0) return null;
  return (
    <ul className={classes.topics}>
      {topics.map(({ id, title }) => (
        <li key={id}>
          <Link to="/help/$page" params={{ page }} hash={id} activeOptions={{ includeHash: true }}>
            {title}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** A page of explained topics; the one named in the address is scrolled into view. */
function TopicList({ topics }: { topics: readonly Topic[] }) {
  return (
    <div className={classes.prose}>
      {topics.map((topic) => (
        <section key={topic.id} id={topic.id} className={classes.topic} aria-label={topic.title}>
          <h2>{topic.title}</h2>
          {topic.meaning.map((paragraph) => (
            <p key={paragraph}>
              <Emphasised text={paragraph} />
            </p>
          ))}
          {topic.advice !== undefined && (
            <>
              <h3>What to do</h3>
              <ol>
                {topic.advice.map((step) => (
                  <li key={step}>
                    <Emphasised text={step} />
                  </li>
                ))}
              </ol>
            </>
          )}
          {topic.sources !== undefined && (
            <p className={classes.sources}>
              {topic.sources.map(({ label, href }) => (
                <a key={href} href={href} target="_blank" rel="noreferrer">
                  {label}
                </a>
              ))}
            </p>
          )}
        </section>
      ))}
    </div>
  );
}

/** Labels of the app are between asterisks, code between backticks. */
function Emphasised({ text }: { text: string }) {
  return text.split('*').map((part, index) =>
    index % 2 === 1 ? (
      <em key={index}>{part}</em>
    ) : (
      <Fragment key={index}>
        <CodeText>{part}</CodeText>
      </Fragment>
    ),
  );
}
