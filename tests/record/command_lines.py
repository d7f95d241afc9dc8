"""Command lines of MCP servers as people write them: what is between « and » is a secret.

Invented, like every value in them. Words are split as a POSIX shell does.
"""

from __future__ import annotations

WITH_SECRETS = r"""
npx -y @scope/server --api-key «hunter2value»
npx -y @scope/server --api-key=«hunter2value»
npx -y @scope/server --apiKey «hunter2value»
npx -y @scope/server --token «hunter2value» --verbose
npx -y @scope/server --tokens «one1,two2»
npx -y @scope/server --secrets=«one1,two2»
npx -y @scope/server --passwords «one1»
npx -y @scope/server --api-keys «one1»
npx -y @scope/server -k «sk-proj-abcdefghij0123456789»
npx -y @scope/server --accessToken=«hunter2value»
npx -y @scope/server --personal-access-token «hunter2value»
npx -y @scope/server --pat «hunter2value»
npx -y @scope/server --client-secret «hunter2value»
npx -y @scope/server --auth «hunter2value»
npx -y @scope/server --bearer-token «hunter2value»
npx -y @scope/server --private-key "«-----BEGIN PRIVATE KEY-----
MIIEvQIBADANBgkqhkiG9w0BAQEFAASC
-----END PRIVATE KEY-----»"
npx -y @scope/server --session-id «hunter2value»
npx -y @scope/server --cookie «session=abc123»
npx -y @scope/server --connection-string «AccountKey=abc123==»
npx -y @scope/server --dsn «https://abc123@sentry.example/1»
npx -y @scope/server --jwt «eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl»
npx -y @scope/server --passphrase «hunter2value»
npx -y @scope/server --header "Authorization: Bearer «hunter2value»"
npx -y @scope/server --header "X-API-Key: «hunter2value»"
npx -y @scope/server -H "X-Auth-Token:«hunter2value»"
npx mcp-remote https://mcp.example.com/sse --header "Authorization: Bearer «hunter2value»"
npx mcp-remote https://mcp.example.com/sse --header Authorization:«hunter2value»
npx mcp-remote "https://mcp.example.com/mcp?api_key=«hunter2value»"
npx mcp-remote "https://mcp.example.com/mcp?profile=a&apiKey=«hunter2value»"
npx mcp-remote https://user:«hunter2value»@mcp.example.com/mcp
npx mcp-remote https://«ghp_abcdefghijklmnop0123456789»@github.example.com/mcp
npx mcp-remote "https://mcp.example.com/mcp#access_token=«hunter2value»"
npx mcp-remote "https://mcp.example.com/mcp%3Fapi_key%3D«hunter2value»"
npx mcp-remote https://mcp.example.com/s/«Abcdef0123456789Abcdef0123456789»/mcp
npx mcp-remote https://mcp.example.com/«123e4567-e89b-12d3-a456-426614174000»/sse
env API_KEY=«hunter2value» npx server
env GITHUB_PERSONAL_ACCESS_TOKEN=«hunter2value» DEBUG=1 npx server
env PGPASSWORD=«hunter2value» psql-mcp
env AWS_SECRET_ACCESS_KEY=«hunter2value» uvx server
env AWS_ACCESS_KEY_ID=«AKIAABCDEFGHIJKLMNOP» uvx server
env "DATABASE_URL=postgres://app:«hunter2value»@db:5432/app" node server.js
env OPENAI_API_KEYS=«one1,two2» node server.js
docker run -i --rm -e API_KEY=«hunter2value» mcp/server
docker run -i --rm --env API_TOKEN=«hunter2value» mcp/server
docker run -i --rm --env=API_TOKEN=«hunter2value» mcp/server
docker run -i --rm -eAPI_TOKEN=«hunter2value» mcp/server
docker run -i --rm -e "DB_URL=mysql://root:«hunter2value»@host/db" mcp/server
docker run -i --rm mcp/server --password «hunter2value»
docker login -u me -p «hunter2value»
podman run -i -e SLACK_BOT_TOKEN=«xoxb-1234567890-abcdef» mcp/slack
uvx server --index https://«hunter2value»@pypi.example.com/simple
uvx --index-url https://user:«hunter2value»@pypi.example.com/simple server
uvx mcp-server-x --token=«hunter2value»
uv run --directory /srv/x server.py --secret-key «hunter2value»
uv run server.py --db "postgresql://u:«hunter2value»@localhost/db"
python -m server --password «hunter2value»
python -m server --smtp-password=«hunter2value»
python server.py "postgresql://u:«p%40ss»@localhost/db"
python server.py "mongodb+srv://u:«hunter2value»@cluster0.example.net/?retryWrites=true"
python server.py redis://:«hunter2value»@localhost:6379/0
python server.py amqp://guest:«hunter2value»@localhost
python server.py --config '{"token": "«hunter2value»", "port": 1}'
python server.py --config '{"auth": {"password": "«hunter2value»"}}'
python server.py --config '{"token": 123, "apiKey":"«hunter2value»"}'
python server.py --config '{\"apiKey\": \"«hunter2value»\"}'
python server.py --config "{'api_key': '«hunter2value»'}"
python server.py --config '{"tokens": ["«one1»", "«two2»"]}'
python server.py '{"headers":{"Authorization":"Bearer «hunter2value»"}}'
node server.js --apikey «hunter2value»
node server.js token=«hunter2value»
node server.js api_key:«hunter2value»
node server.js --env.API_KEY=«hunter2value»
node server.js «sk-ant-api03-abcdefghij0123456789»
node server.js «sk_live_abcdefghijklmnop01234567»
node server.js «rk_live_abcdefghijklmnop01234567»
node server.js «SG.abcdefghijklmnopqrstuv.abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG»
node server.js «dop_v1_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef»
node server.js «ghp_abcdefghijklmnopqrstuvwxyz0123456789»
node server.js «github_pat_abcdefghijklmnop0123456789»
node server.js «glpat-abcdefghij0123456789»
node server.js «xoxb-123456789012-abcdefghij»
node server.js «hf_abcdefghijklmnopqrstuvwxyz01234567»
node server.js «npm_abcdefghijklmnopqrstuvwxyz0123456789»
node server.js «pypi-AgEIcHlwaS5vcmcCJGFiY2RlZg»
node server.js «AIzaSyA0123456789abcdefghijklmnopqrstuv»
node server.js «eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl»
deno run -A jsr:@scope/server --token «hunter2value»
bun run server.ts --api_key «hunter2value»
java -jar server.jar --spring.datasource.password=«hunter2value»
java -Dapi.key=«hunter2value» -jar server.jar
java -Djavax.net.ssl.trustStorePassword=«hunter2value» -jar server.jar
java -jar server.jar "jdbc:postgresql://db/app?user=me&password=«hunter2value»"
java -jar server.jar "jdbc:sqlserver://db;user=sa;password=«hunter2value»;encrypt=true"
dotnet run --project x -- --ApiKey «hunter2value»
dotnet server.dll /p:Password=«hunter2value»
dotnet server.dll /apikey:«hunter2value»
dotnet server.dll --ConnectionStrings:Default "Server=db;User Id=sa;Password=«hunter2value»;"
dotnet server.dll "Endpoint=sb://x.example.net/;SharedAccessKeyName=Root;SharedAccessKey=«abc123=»"
dotnet server.dll "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=«abc123==»;EndpointSuffix=x"
sh -c "server --token=«hunter2value»"
sh -c "server --token «hunter2value» --verbose"
sh -c "x --token=«hunter2value»"
sh -c "API_KEY=«hunter2value» exec npx server"
sh -c "export API_KEY=«hunter2value»; exec npx server"
sh -c 'export API_KEY="«two words»" && exec npx server'
bash -lc "npx server --password '«two words»'"
bash -c "curl -u me:«hunter2value» https://x.example | server"
bash -c "docker run -e TOKEN=«hunter2value» -i mcp/x"
bash -c "mysql -u root -p«hunter2value» db"
bash -c "sshpass -p «hunter2value» ssh host server"
bash -c "server --header 'Authorization: Bearer «hunter2value»'"
zsh -ic "cd /srv && TOKEN=«hunter2value» node server.js"
cmd /c npx server --token «hunter2value»
cmd /c "set API_KEY=«hunter2value»&& npx server"
cmd /c "npx server --api-key=«hunter2value»"
powershell -Command "$env:API_KEY='«hunter2value»'; npx server"
powershell -Command "npx server -Token «hunter2value»"
pwsh -c "$env:TOKEN = \"«hunter2value»\"; npx server"
ssh host API_KEY=«hunter2value» server
ssh host "TOKEN=«hunter2value» server --stdio"
sshpass -p «hunter2value» ssh host server
sshpass -p«hunter2value» ssh host server
mysql -u root -p«hunter2value» db
mysql --user=root --password=«hunter2value» db
mysqldump -u root -p«hunter2value» db
mariadb -uroot -p«hunter2value» db
redis-cli -a «hunter2value»
mongosh -u me -p «hunter2value»
ldapsearch -D cn=me -w «hunter2value»
smbclient -U me%«hunter2value» //host/share
curl -u me:«hunter2value» https://x.example
curl --user me:«hunter2value» https://x.example
curl -H "Authorization: Basic «bWU6cGFzcw==»" https://x.example
curl -H "Cookie: «sid=abc123»" https://x.example
wget --password=«hunter2value» https://x.example
wget --http-password «hunter2value» https://x.example
git clone https://me:«hunter2value»@github.example.com/x.git
git clone https://oauth2:«glpat-abcdefghij0123456789»@gitlab.example.com/x.git
psql "postgres://me:«hunter2value»@db/app"
psql "host=db user=me password=«hunter2value» dbname=app"
psql "host=db password='«two words»' dbname=app"
aws-mcp --access-key «AKIAABCDEFGHIJKLMNOP» --secret-access-key «hunter2value»
aws-mcp --profile x --session-token=«hunter2value»
twilio-mcp «ACabcdef0123456789abcdef0123456789:abcdef0123456789abcdef0123456789»
server --telegram «123456789:AAHdefGHIjklMNOpqrSTUvwxYZ012345678»
server --webhook https://hooks.slack.example/services/T00000000/B00000000/«AbCdEfGhIjKlMnOpQrStUvWx0»
server --basic-auth me:«hunter2value»
server --credentials me:«hunter2value»
server --auth-token:«hunter2value»
server --url "https%3A%2F%2Fme%3A«hunter2value»%40host%2Fpath"
server --url "https://x.example/cb?redirect=https%3A%2F%2Fy%2F%3Ftoken%3D«hunter2value»"
server --args "--api-key=«hunter2value» --verbose"
server "--api-key «hunter2value»"
sudo -u me env TOKEN=«hunter2value» server
wsl -e env API_TOKEN=«hunter2value» server
supergateway --stdio "npx server --token «hunter2value»"
mcp-proxy --headers Authorization "Bearer «hunter2value»" https://x.example/sse
npx -y @smithery/cli run @scope/server --key «123e4567-e89b-12d3-a456-426614174000»
npx -y @smithery/cli run @scope/server --config "{\"githubToken\":\"«hunter2value»\"}"
"""

INNOCENT = r"""
npx -y @modelcontextprotocol/server-filesystem /home/me/docs
npx -y @modelcontextprotocol/server-everything stdio
npx -y @scope/server@1.2.3 --port 8080
npx -y mcp-remote https://mcp.example.com/sse
npx -y mcp-remote https://mcp.example.com/sse 3334 --allow-http
npx -y @scope/server --token-file /run/secrets/token
npx -y @scope/server --tokenizer cl100k
npx -y @scope/server --max-tokens 4096
npx -y @scope/server --token-limit=4096
npx -y @scope/server --keyboard us --monkey yes
npx -y @scope/server --author me --authors all
npx -y @scope/server --no-auth --verbose
npx -y @scope/server --api-key ${input:api_key}
npx -y @scope/server --api-key ${API_KEY}
npx -y @scope/server --api-key=$API_KEY
npx -y @scope/server --token %TOKEN%
npx -y @scope/server --token $env:TOKEN
npx mcp-remote https://mcp.example.com/sse --header "Authorization: Bearer ${TOKEN}"
npx mcp-remote https://mcp.example.com/sse --header "Authorization:${AUTH_HEADER}"
npx mcp-remote "https://mcp.example.com/sse?api_key=${KEY}"
npx mcp-remote "https://mcp.example.com/sse?profile=work&page=2"
env API_KEY=${API_KEY} npx server
env DEBUG=1 NODE_ENV=production npx server
docker run -i --rm -e API_KEY mcp/server
docker run -i --rm -e API_KEY=${API_KEY} mcp/server
docker run -i --rm -p 8080:80 -u 1000:1000 mcp/server:1.2
docker run -i --rm -v /home/me:/data:ro --name notes mcp/server
docker run -i --rm --mount type=bind,src=/a,dst=/b mcp/server
docker exec -i container server --stdio
uv run --directory /srv/notes server.py
uv --directory /srv/notes run -p 3.12 server.py
uvx --from git+https://github.com/me/server@main server
uvx --python 3.12 mcp-server-time --local-timezone Europe/Berlin
python -m mcp_server_time
python server.py --config '{"type": "stdio", "timeout": 30}'
python server.py --config '{"tokenizer": "cl100k", "author": "me"}'
python server.py sqlite:///home/me/data.db
python server.py postgresql://localhost:5432/app
python server.py --host localhost --port 5432 --user me
node /home/me/server/build/index.js --stdio
node --inspect=127.0.0.1:9229 server.js
node --max-old-space-size=4096 server.js
node server.js --pattern "key: value pairs"
deno run --allow-net=api.example.com --allow-env server.ts
deno run -A jsr:@scope/server@1
bun run server.ts
java -Xmx512m -Dfile.encoding=UTF-8 -jar server.jar
dotnet run --project /src/Server.csproj -c Release
dotnet server.dll /p:Configuration=Release
sh -c "cd /srv && exec node server.js"
sh -c "mkdir -p /tmp/x && exec server -p 8080"
bash -lc "nvm use 20 && npx server"
bash -c "ssh -p 2222 host server"
cmd /c npx -y server
cmd /d /s /c "npx server --port 80"
powershell -NoProfile -ExecutionPolicy Bypass -File server.ps1
powershell -Command "Get-Content log.txt | server"
ssh -p 22 -i ~/.ssh/id_ed25519 me@host server
ssh me@host server --stdio
mysql -u root -P 3307 db
mysql -u root -p db
psql -h localhost -p 5432 -U me app
redis-cli -p 6379
curl -u 1000:1000 https://x.example
git clone git@github.com:me/server.git
git clone https://github.com/me/server.git
server --id 123e4567-e89b-12d3-a456-426614174000
server --commit 0123456789abcdef0123456789abcdef01234567
server --key-file /etc/key.pem --cert /etc/cert.pem
server --public-key /etc/key.pub
server --auth none
server --auth oauth
server --auth-type bearer
server --password-stdin
server --use-token true
server --session new --level info
server --path "C:\Program Files\nodejs\node.exe" --drive C:
server --time 12:30:45 --ratio 16:9
server key value
server --keys id,name
supergateway --stdio "npx server /data" --port 8000
mcp-proxy --transport streamablehttp https://x.example/mcp
"""
