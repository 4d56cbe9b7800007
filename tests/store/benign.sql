-- One query a line, as models write them; every one is accepted, runs, and gives what SQLite gives for the text itself.
SELECT COUNT(*) FROM transcript
SELECT count(*) AS n FROM events WHERE label = 'Laughter'
SELECT COUNT(DISTINCT speaker) FROM transcript;
SELECT DISTINCT speaker FROM transcript ORDER BY speaker
SELECT * FROM recording
SELECT * FROM transcript LIMIT 5
SELECT * FROM transcript WHERE speaker = 'Alice' ORDER BY start_s LIMIT 10;
select text from transcript where lower(text) like '%budget%' order by start_s limit 20
SELECT speaker, start_s, end_s, text FROM transcript WHERE text LIKE '%budget%' OR text LIKE '%pricing%' ORDER BY start_s
SELECT title, duration_s / 60.0 AS minutes FROM recording
SELECT title, ROUND(duration_s / 60, 1) AS minutes, language FROM recording
SELECT speaker, COUNT(*) AS segments FROM transcript GROUP BY speaker ORDER BY segments DESC
SELECT speaker, SUM(end_s - start_s) AS talk FROM speaker GROUP BY speaker ORDER BY talk DESC LIMIT 1
SELECT speaker, ROUND(SUM(end_s - start_s), 1) AS seconds FROM speaker GROUP BY speaker HAVING SUM(end_s - start_s) > 10
SELECT speaker, COUNT(*) AS turns, AVG(end_s - start_s) AS mean_s, MIN(start_s) AS first_s, MAX(end_s) AS last_s FROM speaker GROUP BY speaker
SELECT label, COUNT(*) AS n, MIN(start_s) AS first_heard FROM events GROUP BY label ORDER BY n DESC
SELECT label, MIN(start_s) FROM events WHERE label IN ('Siren', 'Laughter', 'Dog') GROUP BY label ORDER BY MIN(start_s)
SELECT label FROM events WHERE score >= 0.5 GROUP BY label ORDER BY MIN(start_s) ASC
SELECT MIN(start_s) AS t FROM events WHERE label = 'Siren'
SELECT start_s FROM events WHERE label = 'Dog' ORDER BY start_s LIMIT 1
SELECT start_s FROM events WHERE label = 'Dog' ORDER BY start_s LIMIT 1 OFFSET 1
SELECT start_s FROM events WHERE label = 'Dog' ORDER BY start_s LIMIT 1, 1
SELECT label, ROUND(SUM(end_s - start_s), 2) AS seconds FROM events GROUP BY label
SELECT emotion.label, COUNT(*) FROM emotion GROUP BY emotion.label ORDER BY 2 DESC
SELECT label, COUNT(*) FROM emotion WHERE speaker = 'Bob' GROUP BY 1 ORDER BY COUNT(*) DESC LIMIT 1
SELECT speaker, label, AVG(score) AS mean FROM emotion WHERE label <> 'neutral' GROUP BY speaker, label ORDER BY mean DESC
SELECT speaker, SUM(CASE WHEN label = 'anger' THEN 1 ELSE 0 END) AS angry, COUNT(*) AS total FROM emotion GROUP BY speaker
SELECT speaker, 100.0 * SUM(label = 'anger') / COUNT(*) AS percent FROM emotion GROUP BY speaker
SELECT CASE WHEN COUNT(*) > 0 THEN 'yes' ELSE 'no' END AS heard FROM events WHERE label = 'Gunshot'
SELECT EXISTS(SELECT 1 FROM transcript WHERE speaker = 'Alice' AND text LIKE '%deadline%') AS said
SELECT t.speaker, t.text FROM transcript t WHERE t.start_s BETWEEN 10 AND 60 ORDER BY t.start_s
SELECT t.speaker, t.text FROM transcript AS t WHERE t.start_s >= 10.5 AND t.end_s < 60.25
SELECT t.text, e.label FROM transcript t JOIN events e ON e.start_s < t.end_s AND e.end_s > t.start_s ORDER BY t.start_s
SELECT DISTINCT t.speaker FROM transcript t INNER JOIN events e ON t.start_s < e.end_s AND e.start_s < t.end_s WHERE e.label = 'Laughter'
SELECT t.speaker, COUNT(*) AS n FROM transcript t JOIN emotion m ON m.start_s < t.end_s AND m.end_s > t.start_s AND m.speaker = t.speaker WHERE m.label = 'happiness' GROUP BY t.speaker
SELECT t.text FROM transcript t JOIN keyword_hit k ON k.segment_id = t.segment_id WHERE k.term = 'budget' ORDER BY k.rank
SELECT t.speaker, t.start_s, t.text FROM keyword_hit k JOIN transcript t USING (segment_id) WHERE k.term = 'budget' ORDER BY t.start_s
SELECT t.speaker, COUNT(DISTINCT k.segment_id) AS mentions FROM keyword_hit AS k JOIN transcript AS t ON t.segment_id = k.segment_id GROUP BY t.speaker ORDER BY mentions DESC
SELECT COUNT(*) FROM transcript WHERE segment_id IN (SELECT segment_id FROM keyword_hit WHERE term = 'budget')
SELECT text FROM transcript WHERE segment_id NOT IN (SELECT segment_id FROM keyword_hit) LIMIT 3
SELECT t.text, MIN(k.rank) FROM transcript t JOIN keyword_hit k ON t.segment_id = k.segment_id GROUP BY t.segment_id, t.text HAVING COUNT(DISTINCT k.term) = 1
SELECT text FROM transcript t WHERE EXISTS (SELECT 1 FROM keyword_hit k WHERE k.segment_id = t.segment_id AND k.term LIKE '~%')
SELECT e.label, (SELECT t.text FROM transcript t WHERE t.start_s <= e.start_s ORDER BY t.start_s DESC LIMIT 1) AS before FROM events e
SELECT e.start_s, e.label, t.speaker, t.text FROM events e LEFT JOIN transcript t ON t.start_s > e.end_s AND t.start_s <= e.end_s + 5 ORDER BY e.start_s, t.start_s
SELECT e.label FROM events e LEFT JOIN transcript t ON t.start_s < e.end_s AND t.end_s > e.start_s WHERE t.text IS NULL
WITH laughs AS (SELECT start_s, end_s FROM events WHERE label = 'Laughter') SELECT t.speaker, t.text FROM transcript t JOIN laughs l ON t.end_s > l.start_s AND t.start_s < l.end_s
WITH talk AS (SELECT speaker, SUM(end_s - start_s) AS seconds FROM speaker GROUP BY speaker) SELECT speaker, seconds, ROUND(100 * seconds / (SELECT SUM(seconds) FROM talk), 1) AS share FROM talk ORDER BY share DESC
WITH a AS (SELECT MIN(start_s) AS t FROM events WHERE label = 'Siren'), b AS (SELECT MIN(start_s) AS t FROM events WHERE label = 'Dog') SELECT CASE WHEN a.t < b.t THEN 'Siren' ELSE 'Dog' END AS first FROM a, b
WITH a AS (SELECT MIN(start_s) AS t FROM events WHERE label = 'Siren'), b AS (SELECT t + 10 AS u FROM a) SELECT text FROM transcript, b WHERE start_s > b.u LIMIT 1
WITH first(t) AS (SELECT MIN(start_s) FROM transcript WHERE speaker = 'Bob') SELECT t FROM first
WITH counts AS (SELECT speaker, label, COUNT(*) AS n FROM emotion GROUP BY speaker, label), best AS (SELECT speaker, MAX(n) AS most FROM counts GROUP BY speaker) SELECT counts.speaker, counts.label FROM counts JOIN best ON best.speaker = counts.speaker AND best.most = counts.n
SELECT speaker, start_s, LAG(end_s) OVER (ORDER BY start_s) AS previous_end FROM speaker ORDER BY start_s LIMIT 10
SELECT MAX(gap) FROM (SELECT start_s - LAG(end_s) OVER (ORDER BY start_s) AS gap FROM transcript)
SELECT start_s, gap FROM (SELECT start_s, start_s - LAG(end_s, 1) OVER (ORDER BY start_s) AS gap FROM transcript) AS g WHERE gap > 0.5 ORDER BY gap DESC LIMIT 1
SELECT speaker, text, ROW_NUMBER() OVER (PARTITION BY speaker ORDER BY start_s) AS n FROM transcript ORDER BY speaker, n LIMIT 12
SELECT speaker, text FROM (SELECT speaker, text, ROW_NUMBER() OVER (PARTITION BY speaker ORDER BY start_s DESC) AS rn FROM transcript) WHERE rn = 1 ORDER BY speaker
SELECT speaker, RANK() OVER (ORDER BY COUNT(*) DESC) AS place FROM transcript GROUP BY speaker
SELECT start_s, SUM(end_s - start_s) OVER (ORDER BY start_s ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS running FROM speaker ORDER BY start_s
SELECT start_s, AVG(score) OVER (ORDER BY start_s ROWS BETWEEN 2 PRECEDING AND 2 FOLLOWING) AS smooth FROM emotion WHERE label = 'anger' ORDER BY start_s
SELECT speaker, FIRST_VALUE(text) OVER (PARTITION BY speaker ORDER BY start_s) AS opening FROM transcript LIMIT 3
SELECT text, LEAD(text) OVER (ORDER BY start_s) AS next_text FROM transcript WHERE speaker = 'Bob' ORDER BY start_s LIMIT 3
SELECT text, LEAD(speaker, 1, 'nobody') OVER w AS next_speaker FROM transcript WINDOW w AS (ORDER BY start_s) LIMIT 4
SELECT DENSE_RANK() OVER (ORDER BY label) AS d, label FROM events ORDER BY d, start_s
SELECT NTILE(4) OVER (ORDER BY start_s) AS quarter, speaker FROM speaker ORDER BY start_s
SELECT CAST(start_s / 60 AS INTEGER) AS minute, COUNT(*) AS n FROM transcript GROUP BY minute ORDER BY minute
SELECT CAST(start_s AS INT) / 30 AS bucket, label, COUNT(*) FROM events GROUP BY bucket, label ORDER BY bucket, label
SELECT strftime('%H:%M:%S', start_s, 'unixepoch') AS at, text FROM transcript ORDER BY start_s LIMIT 3
SELECT time(start_s, 'unixepoch') AS at, label FROM events ORDER BY start_s
SELECT printf('%02d:%02d', CAST(start_s AS INTEGER) / 60, CAST(start_s AS INTEGER) % 60) AS at, text FROM transcript ORDER BY start_s LIMIT 3
SELECT format('%.1f s', end_s - start_s) AS long, speaker FROM speaker ORDER BY start_s LIMIT 2
SELECT substr(text, 1, 20) || '...' AS opening FROM transcript ORDER BY start_s LIMIT 3
SELECT substring(text, 1, 5), LENGTH(text), UPPER(speaker), TRIM(text), INSTR(text, 'the') FROM transcript ORDER BY start_s LIMIT 3
SELECT speaker || ': ' || text AS line FROM transcript ORDER BY start_s LIMIT 3
SELECT REPLACE(text, 'budget', 'BUDGET') FROM transcript WHERE text LIKE 'the budget%' ORDER BY start_s LIMIT 1
SELECT SUM(LENGTH(text) - LENGTH(REPLACE(text, ' ', '')) + 1) AS words FROM transcript WHERE speaker = 'Alice'
SELECT speaker, SUM((LENGTH(LOWER(text)) - LENGTH(REPLACE(LOWER(text), 'the', ''))) / 3) AS the FROM transcript GROUP BY speaker ORDER BY the DESC
SELECT GROUP_CONCAT(text, ' ') FROM transcript WHERE speaker = 'Alice'
SELECT GROUP_CONCAT(DISTINCT label) FROM events
SELECT speaker, GROUP_CONCAT(text, ' | ') AS said FROM (SELECT speaker, text FROM transcript ORDER BY start_s) GROUP BY speaker
SELECT COALESCE(speaker, 'unknown') AS who, COUNT(*) FROM transcript GROUP BY who
SELECT IFNULL(speaker, '?'), NULLIF(language, 'en'), IIF(score > -0.5, 'sure', 'unsure') FROM transcript ORDER BY start_s LIMIT 3
SELECT ABS(score), ROUND(score), MAX(start_s, 5), MIN(end_s, 100) FROM transcript ORDER BY start_s LIMIT 2
SELECT COUNT(*) FILTER (WHERE speaker = 'Bob') AS bob, COUNT(*) FILTER (WHERE speaker <> 'Bob') AS others FROM transcript
SELECT TOTAL(end_s - start_s) FROM events WHERE label = 'Music'
SELECT word, COUNT(*) AS n FROM word GROUP BY word ORDER BY n DESC, word LIMIT 10
SELECT LOWER(word) AS w, COUNT(*) AS n FROM word WHERE LENGTH(word) > 3 GROUP BY LOWER(word) ORDER BY n DESC, w LIMIT 5
SELECT start_s, end_s FROM word WHERE word = 'deadline' COLLATE NOCASE ORDER BY start_s
SELECT w.word, w.start_s, t.speaker FROM word w JOIN transcript t ON t.segment_id = w.segment_id WHERE w.word LIKE 'budget%' ORDER BY w.start_s
SELECT COUNT(*) FROM word WHERE score < 0.5
SELECT COUNT(*) * 60.0 / MAX(end_s) AS words_per_minute FROM word
SELECT text FROM transcript WHERE text LIKE '%50\%%' ESCAPE '\'
SELECT text FROM transcript WHERE text GLOB '*Carol*'
SELECT text FROM transcript WHERE text LIKE '%that''s%'
SELECT text FROM transcript WHERE text NOT LIKE '%budget%' AND speaker IS NOT NULL AND NOT (start_s > 100)
SELECT text FROM transcript WHERE speaker != 'Alice' AND language == 'en' LIMIT 2
SELECT text FROM transcript WHERE speaker IN ('Alice', 'Bob') AND (text LIKE '%deadline%' OR text LIKE '%Friday%')
SELECT speaker FROM transcript UNION SELECT speaker FROM emotion ORDER BY 1
SELECT 'transcript' AS stream, COUNT(*) AS n FROM transcript UNION ALL SELECT 'events', COUNT(*) FROM events UNION ALL SELECT 'emotion', COUNT(*) FROM emotion
SELECT speaker FROM speaker EXCEPT SELECT speaker FROM emotion WHERE label = 'sadness'
SELECT speaker FROM transcript INTERSECT SELECT speaker FROM speaker
SELECT (SELECT COUNT(*) FROM events) AS events, (SELECT COUNT(*) FROM transcript) AS segments
SELECT a.speaker, b.speaker FROM speaker a JOIN speaker b ON a.start_s < b.end_s AND b.start_s < a.end_s WHERE a.speaker < b.speaker
SELECT a.label AS first, b.label AS second FROM events a JOIN events b ON b.start_s > a.end_s AND b.start_s - a.end_s < 20 ORDER BY a.start_s
SELECT a.speaker AS asker, b.speaker AS answerer, COUNT(*) AS n FROM transcript a JOIN transcript b ON b.start_s = (SELECT MIN(c.start_s) FROM transcript c WHERE c.start_s > a.start_s) WHERE a.speaker <> b.speaker GROUP BY asker, answerer ORDER BY n DESC
SELECT r.title, t.text FROM recording r JOIN transcript t ON t.recording_id = r.recording_id ORDER BY t.start_s LIMIT 2
SELECT r.recording_id, COUNT(t.segment_id) AS n FROM recording r LEFT JOIN transcript t USING (recording_id) GROUP BY r.recording_id
SELECT recording_id, COUNT(*) FROM events GROUP BY recording_id
SELECT t.*, e.label FROM transcript t CROSS JOIN events e WHERE e.label = 'Dog' AND t.start_s > e.start_s ORDER BY t.start_s LIMIT 1
SELECT s.speaker, m.label, COUNT(*) AS n FROM speaker s NATURAL JOIN emotion m GROUP BY s.speaker, m.label
SELECT MAX(end_s) - MIN(start_s) AS span FROM transcript WHERE speaker = 'Alice'
SELECT AVG(end_s - start_s) AS mean, COUNT(*) AS n, MIN(score), MAX(score) FROM transcript
SELECT start_s AS "Start (s)", text AS 'What was said' FROM transcript ORDER BY "Start (s)" LIMIT 2
SELECT "speaker", [text], `start_s` FROM "transcript" ORDER BY start_s LIMIT 1
SELECT text FROM transcript WHERE start_s >= (SELECT start_s FROM events WHERE label = 'Laughter' ORDER BY start_s LIMIT 1) ORDER BY start_s LIMIT 1
SELECT label, score FROM events ORDER BY score DESC, start_s ASC LIMIT 3
SELECT speaker, end_s - start_s AS long FROM speaker ORDER BY long DESC NULLS LAST LIMIT 1
SELECT CASE speaker WHEN 'Alice' THEN 'chair' WHEN 'Bob' THEN 'finance' ELSE 'guest' END AS role, COUNT(*) FROM transcript GROUP BY role
SELECT COUNT(*) > 3 AS often FROM events WHERE label LIKE 'laugh%'
-- the last three remarks
SELECT * FROM (SELECT speaker, text, start_s FROM transcript ORDER BY start_s DESC LIMIT 3) ORDER BY start_s
SELECT speaker, COUNT(*) AS n /* per voice */ FROM transcript GROUP BY speaker HAVING n >= 5 ORDER BY n -- most last
SELECT typeof(score), 7 / 2, 7 / 2.0, 7 % 3, -score FROM transcript LIMIT 1
SELECT julianday('2024-01-02') - julianday('2024-01-01') AS days FROM recording
SELECT start_s FROM transcript WHERE (speaker, language) = ('Bob', 'en') ORDER BY start_s LIMIT 2
SELECT MIN(start_s) AS start, MAX(end_s) AS end, speaker FROM (SELECT start_s, end_s, speaker, ROW_NUMBER() OVER (ORDER BY start_s) - ROW_NUMBER() OVER (PARTITION BY speaker ORDER BY start_s) AS island FROM speaker) GROUP BY speaker, island ORDER BY start
SELECT text FROM transcript WHERE text = 'yes and the deadline moves to Friday' OR text IS 'x' LIMIT 1
SELECT e.label, COUNT(t.segment_id) AS n FROM events e LEFT JOIN transcript t ON ABS(t.start_s - e.start_s) <= 2.5 GROUP BY e.label
SELECT strftime('%Y', '2024-03-01') AS year FROM recording
